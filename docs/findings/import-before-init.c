/* A call before hsa_init has to be refused as such, and not to end the process.
 *
 * usage: import-before-init [LIBRARY]      (default: libhsa-runtime64.so.1)
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

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool, or virtual memory: all have this form */

enum {
    CANNOT_TELL = 77, GPU = 1, NOT_INITIALIZED = 0x100b,
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

/* A descriptor of an ordinary file, which stands for no memory of a GPU. */
static int ordinary_file(void)
{
    char name[] = "/tmp/finding-XXXXXX";
    int file = mkstemp(name);

    if (file < 0)
        cannot_tell("no file");
    unlink(name);
    return file;
}

static int body(void)
{
    int (*import)(int, handle *);
    handle memory;
    int status;

    need("hsa_amd_vmem_import_shareable_handle", &import);
    status = import(ordinary_file(), &memory);
    printf("status %#x\n", (unsigned)status);
    return status != NOT_INITIALIZED;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(body);
}
