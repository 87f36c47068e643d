/* A handler for a condition that does not exist has to be refused.
 *
 * usage: handler-condition-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, SUCCESS = 0, UNKNOWN = 4,
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

static _Bool never(int64_t value, void *data)
{
    (void)value;
    (void)data;
    return 0;
}

int main(int count, char **words)
{
    int (*handle_async)(handle, uint32_t, int64_t, _Bool (*)(int64_t, void *), void *);
    int status;

    load(count, words);
    need("hsa_amd_signal_async_handler", &handle_async);
    need("hsa_signal_create", &(void *){NULL});
    initialise();
    status = handle_async(signal_of(0), UNKNOWN, 0, never, NULL);
    printf("status %#x\n", (unsigned)status);
    fflush(stdout);
    _Exit(status == SUCCESS);
}
