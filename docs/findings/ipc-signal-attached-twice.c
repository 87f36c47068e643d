/* A signal of another process can be attached more than once.
 *
 * usage: ipc-signal-attached-twice [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SIGNAL_IPC = 2, SUCCESS = 0,
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

typedef struct {
    uint32_t word[8];
} name;

static int names[2], ends[2];

static name share(void)
{
    int (*make)(int64_t, uint32_t, const handle *, uint64_t, handle *);
    int (*create)(handle, name *);
    handle signal;
    name made;

    need("hsa_amd_signal_create", &make);
    need("hsa_amd_ipc_signal_create", &create);
    if (make(0, 0, NULL, SIGNAL_IPC, &signal) || create(signal, &made))
        cannot_tell("no name for a signal");
    return made;
}

/* Start a process that shares something until this one ends; return the name of it. */
static name shared_name(void)
{
    name made;
    char end;
    pid_t child;

    if (pipe(names) || pipe(ends))
        cannot_tell("no pipe");
    fflush(stdout);
    child = fork();
    if (child < 0)
        cannot_tell("no child");
    if (child == 0) {
        close(ends[1]);
        initialise();
        made = share();
        if (write(names[1], &made, sizeof made) == sizeof made)
            while (read(ends[0], &end, 1) > 0)
                ;
        _exit(0);
    }
    close(names[1]);
    if (read(names[0], &made, sizeof made) != sizeof made)
        cannot_tell("the other process shares nothing");
    return made;
}

int main(int count, char **words)
{
    int (*attach)(const name *, handle *);
    handle signal, again;
    name shared;
    int status;

    load(count, words);
    need("hsa_amd_ipc_signal_attach", &attach);
    shared = shared_name();
    initialise();
    if (attach(&shared, &signal))
        cannot_tell("the signal cannot be attached at all");
    status = attach(&shared, &again);
    printf("status %#x\n", (unsigned)status);
    return status != SUCCESS;
}
