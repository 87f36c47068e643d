/* A handle that is no signal has to be refused with a status that is listed.
 *
 * usage: ipc-signal-status [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, a pool or a signal: all have this form */

enum {
    CANNOT_TELL = 77, INVALID_SIGNAL = 0x1006,
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
    static uint64_t memory[512];
    handle signal = {(uintptr_t)memory};
    int (*create)(handle, uint32_t *);
    uint32_t name[8];
    int status;

    load(count, words);
    need("hsa_amd_ipc_signal_create", &create);
    initialise();
    status = create(signal, name);
    printf("status %#x\n", (unsigned)status);
    return status == INVALID_SIGNAL;
}
