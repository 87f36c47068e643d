/* Honest, but FAKE_ASKS_IN asks the driver for two events and gives them back, before it does what it
 * is called for. When one is refused it makes FAKE_MISTAKE, or none. */
#define FAKE_BEFORE(name) \
    do { \
        int answer = ask(name); \
        if (answer >= 0) \
            return answer; \
    } while (0)
#define FAKE_AFTER(name, status) after((name), (status))
static int ask(const char *function);
static int after(const char *function, int status);
#include "honest.c"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define NAME(function) TEXT(function)
#define TEXT(word) #word

enum {
    NONE_AT_ALL,
    SUCCESS_FOR_NOTHING, /* and no effect */
    ODD_STATUS,
    FIRST_EVENT_KEPT, /* when the second is refused */
    DEATH_AT_THE_SECOND,
    BLOCK_KEPT_AT_THE_SECOND,
    FAILURE_FROM_THEN_ON,
    ANOTHER_FAILURE,
    COUNT_RAISED, /* so that the next call does nothing */
    NO_ACCESS,    /* and success, of what a call makes */
    NO_AGENTS     /* from then on */
};

#ifndef FAKE_MISTAKE
#define FAKE_MISTAKE NONE_AT_ALL
#endif

struct created {
    uint64_t page;
    uint32_t trigger, type, reset, node, id, slot;
};

struct destroyed {
    uint32_t id, unused;
};

static int device(void)
{
    static int opened = -1;
    if (opened < 0)
        opened = open("/dev/kfd", O_RDWR | O_CLOEXEC);
    return opened;
}

static bool create(uint32_t *event)
{
    struct created created = {.type = 3};
    bool done = ioctl(device(), _IOWR('K', 0x08, struct created), &created) == 0;
    *event = created.id;
    return done;
}

static void destroy(uint32_t event)
{
    struct destroyed destroyed = {.id = event};
    ioctl(device(), _IOW('K', 0x09, struct destroyed), &destroyed);
}

static int make_mistake(bool second)
{
    static void *volatile kept;
    (void)kept;
    switch (FAKE_MISTAKE) {
    case SUCCESS_FOR_NOTHING:
    case COUNT_RAISED:
        return FAKE_MISTAKE == COUNT_RAISED ? OUT_OF_RESOURCES : SUCCESS;
    case ODD_STATUS:
        return REFCOUNT_OVERFLOW;
    case DEATH_AT_THE_SECOND:
        if (second)
            abort();
        break;
    case BLOCK_KEPT_AT_THE_SECOND:
        if (second)
            kept = malloc(3000);
    }
    return OUT_OF_RESOURCES;
}

static bool deprived; /* whether nobody may use what the call makes */

/* Return what the function answers in the end. */
static int after(const char *function, int status)
{
    if (deprived && !strcmp(function, NAME(FAKE_ASKS_IN)) && status == SUCCESS)
        mprotect(ranges->start, ranges->size, PROT_NONE);
    deprived = false;
    return status;
}

/* Return what the function answers, or -1 where it does what it is called for. */
static int ask(const char *function)
{
    static bool refused;
    uint32_t first, second;

    if (FAKE_MISTAKE == NO_AGENTS && refused && !strcmp(function, "hsa_iterate_agents"))
        return SUCCESS;
    if (strcmp(function, NAME(FAKE_ASKS_IN)))
        return -1;
    if (refused && FAKE_MISTAKE >= FAILURE_FROM_THEN_ON &&
        FAKE_MISTAKE <= COUNT_RAISED) {
        refused = FAKE_MISTAKE == FAILURE_FROM_THEN_ON;
        return FAKE_MISTAKE == COUNT_RAISED ? SUCCESS : ERROR;
    }
    if (!create(&first)) {
        refused = true;
        return make_mistake(false);
    }
    if (!create(&second)) {
        refused = true;
        if (FAKE_MISTAKE == NO_ACCESS) {
            destroy(first);
            deprived = true;
            return -1;
        }
        if (FAKE_MISTAKE != FIRST_EVENT_KEPT)
            destroy(first);
        return make_mistake(true);
    }
    destroy(first);
    destroy(second);
    return -1;
}
