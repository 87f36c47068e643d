/* The signal 0 has to be refused as an invalid signal.
 *
 * usage: signal-zero-status [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, INVALID_SIGNAL = 0x1006,
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

int main(int count, char **words)
{
    int (*value_pointer)(handle, int64_t **);
    const handle none = {0};
    int64_t *value;
    int status;

    load(count, words);
    need("hsa_amd_signal_value_pointer", &value_pointer);
    initialise();
    status = value_pointer(none, &value);
    printf("status %#x\n", (unsigned)status);
    return status != INVALID_SIGNAL;
}
