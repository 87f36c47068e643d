/* A name that nobody gave has to be refused, and neither end the process nor hang.
 *
 * usage: ipc-signal-name-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SIGNAL_IPC = 2,
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

/* Run in a child: return its exit status, or 1 if a signal ended it or it took far too long. */
static int survive(int (*body)(void))
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(30);
        exit(body());
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGALRM)
        printf("the call did not come back\n");
    else
        printf("the process was ended by signal %d\n", WTERMSIG(status));
    return 1;
}

static int body(void)
{
    int (*make)(int64_t, uint32_t, const handle *, uint64_t, handle *);
    int (*create)(handle, uint32_t *);
    int (*attach)(const uint32_t *, handle *);
    uint32_t name[8];
    handle signal;

    initialise();
    need("hsa_amd_signal_create", &make);
    need("hsa_amd_ipc_signal_create", &create);
    need("hsa_amd_ipc_signal_attach", &attach);
    if (make(0, 0, NULL, SIGNAL_IPC, &signal) || create(signal, name))
        cannot_tell("no name for a signal");
    for (int word = 0; word < 8; word++)
        if (word != 2) /* where a release looks for the process */
            name[word] = ~name[word];
    printf("status %#x\n", (unsigned)attach(name, &signal));
    return 0;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(body);
}
