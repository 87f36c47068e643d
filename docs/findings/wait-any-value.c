/* A wait for any of several signals has to give the value of the one that it names.
 *
 * usage: wait-any-value [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent or a signal: all have this form */

enum {
    CANNOT_TELL = 77, EQUAL = 0,
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

static handle signal_of(int64_t value)
{
    int (*create)(int64_t, uint32_t, const handle *, handle *);
    handle made;

    need("hsa_signal_create", &create);
    if (create(value, 0, NULL, &made))
        cannot_tell("no signal can be created");
    return made;
}

typedef uint32_t waiter(uint32_t, const handle *, const uint32_t *, const int64_t *, uint64_t,
                        uint32_t, int64_t *);

int main(int count, char **words)
{
    const uint32_t conditions[] = {EQUAL, EQUAL};
    const int64_t values[] = {1, 7};
    int64_t found = -1;
    handle signals[2];
    waiter *wait_any;
    uint32_t result;

    load(count, words);
    need("hsa_amd_signal_wait_any", &wait_any);
    need("hsa_signal_create", &(void *){NULL});
    initialise();
    signals[0] = signal_of(0);
    signals[1] = signal_of(7);
    result = wait_any(2, signals, conditions, values, 1000, 1, &found);
    printf("index %u, value %lld\n", result, (long long)found);
    return result != 1 || found != 7;
}
