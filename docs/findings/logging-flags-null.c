/* Flags that are NULL do not end the process.
 *
 * usage: logging-flags-null [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CANNOT_TELL = 77, INVALID_ARGUMENT = 0x1001,
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

static int (*enable)(uint8_t *, void *);

/* Run in a child, which may be killed: tell whether a signal ended it. */
static int is_killed(void)
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(60);
        initialise();
        enable(NULL, NULL);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status) && WEXITSTATUS(status) == CANNOT_TELL)
        exit(CANNOT_TELL);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        cannot_tell("the call did not come back");
    return WIFSIGNALED(status);
}

int main(int count, char **words)
{
    int killed;

    load(count, words);
    need("hsa_amd_enable_logging", &enable);
    killed = is_killed();
    printf(killed ? "the process was ended\n" : "the call came back\n");
    return killed;
}
