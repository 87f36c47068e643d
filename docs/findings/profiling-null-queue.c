/* A queue that is NULL has to be refused as an invalid argument.
 *
 * usage: profiling-null-queue [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANNOT_TELL = 77, INVALID_QUEUE = 0x1007,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static void need(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (!found)
        cannot_tell(name);
    memcpy(function, &found, sizeof found);
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
    int (*enable)(void *, int);
    int status;

    load(count, words);
    need("hsa_amd_profiling_set_profiler_enabled", &enable);
    initialise();
    status = enable(NULL, 1);
    printf("status %#x\n", (unsigned)status);
    return status == INVALID_QUEUE;
}
