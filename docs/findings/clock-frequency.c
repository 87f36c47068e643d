/* The frequency of timestamps has to lie between 1 and 400 MHz.
 *
 * usage: clock-frequency [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool, or virtual memory: all have this form */

enum {
    CANNOT_TELL = 77, GPU = 1, AGENT_FREQUENCY = 0xa016, SYSTEM_FREQUENCY = 3, MHZ = 1000000,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static int find(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (found)
        memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void need(const char *name, void *function)
{
    if (!find(name, function))
        cannot_tell(name);
}

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

static void initialise(void)
{
    int (*init)(void);

    need("hsa_init", &init);
    if (init())
        cannot_tell("hsa_init fails: is there a GPU?");
}

static int (*agent_info)(handle, uint32_t, void *);
static int (*agents)(int (*)(handle, void *), void *);

static void find_agents(void)
{
    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
}

static int answered, defects;

static void check(uint64_t frequency, const char *what)
{
    printf("%s: %llu Hz\n", what, (unsigned long long)frequency);
    defects += frequency < MHZ || frequency > 400ull * MHZ;
}

static int check_agent(handle agent, void *data)
{
    uint64_t frequency;

    (void)data;
    if (agent_info(agent, AGENT_FREQUENCY, &frequency))
        return 0;
    answered++;
    check(frequency, "agent");
    return 0;
}

int main(int count, char **words)
{
    int (*system_info)(uint32_t, void *);
    uint64_t frequency;

    load(count, words);
    initialise();
    find_agents();
    need("hsa_system_get_info", &system_info);
    if (system_info(SYSTEM_FREQUENCY, &frequency))
        cannot_tell("no frequency");
    check(frequency, "system");
    agents(check_agent, NULL);
    /* Releases before 5.3 do not have the attribute, and hand on what the driver says. */
    if (!answered)
        cannot_tell("the frequency is the driver's");
    return defects > 0;
}
