/* Honest, but wrong where two threads are in FAKE_CROWDED_IN at one time: by FAKE_CROWDED it CRASHES,
 * HANGS, REFUSES the call, or hsa_iterate_agents LISTS_NOTHING. */
static void enter(const char *function);
static int leave(const char *function, int status);
#define FAKE_BEFORE(name) enter(name)
#define FAKE_AFTER(name, status) leave(name, status)
#define hsa_iterate_agents honest_iterate_agents
#include "honest.c"
#undef hsa_iterate_agents

#include <stdatomic.h>
#include <time.h>

#define NAME(function) TEXT(function)
#define TEXT(word) #word

enum { CRASHES, HANGS, REFUSES, LISTS_NOTHING };

static atomic_int inside, entered;
static _Thread_local int alone;

/* Stay for long enough that others come, if there are any. */
static void enter(const char *function)
{
    if (strcmp(function, NAME(FAKE_CROWDED_IN)))
        return;
    inside++;
    alone = ++entered;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    alone = inside == 1 && entered == alone;
    if (FAKE_CROWDED == CRASHES && !alone)
        *(volatile int *)NULL = 0;
    while (FAKE_CROWDED == HANGS && !alone)
        pause();
}

static int leave(const char *function, int status)
{
    if (strcmp(function, NAME(FAKE_CROWDED_IN)))
        return status;
    inside--;
    return FAKE_CROWDED == REFUSES && !alone ? ERROR : status;
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void *), void *data)
{
    enter("hsa_iterate_agents");
    bool nothing = FAKE_CROWDED == LISTS_NOTHING && !alone;
    leave("hsa_iterate_agents", SUCCESS);
    return nothing ? SUCCESS : honest_iterate_agents(callback, data);
}
