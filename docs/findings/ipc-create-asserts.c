/* Memory that the runtime does not know has to be refused, and not to end the process.
 *
 * usage: ipc-create-asserts [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CANNOT_TELL = 77, SIZE = 4096,
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

/* Run in a child, which may be killed: return its exit status, or 1 if a signal ended it. */
static int survive(int (*body)(void))
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(60);
        exit(body());
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGALRM)
        cannot_tell("the call did not come back");
    printf("the process was ended by signal %d\n", WTERMSIG(status));
    return 1;
}

static int create(void *block)
{
    int (*create_name)(void *, size_t, uint32_t *);
    uint32_t name[8];

    need("hsa_amd_ipc_memory_create", &create_name);
    printf("status %#x\n", (unsigned)create_name(block, SIZE, name));
    return 0;
}

static int unknown_memory(void)
{
    static char memory[2 * SIZE];

    initialise();
    return create(memory);
}

int main(int count, char **words)
{
    load(count, words);
    return survive(unknown_memory);
}
