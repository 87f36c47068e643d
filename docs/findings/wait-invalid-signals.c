/* What is no signal counts as met in a wait for all, and the others keep their conditions.
 *
 * Before interface 1.11 the text did not allow such handles: a process that dies tells nothing.
 *
 * usage: wait-invalid-signals [LIBRARY]      (default: libhsa-runtime64.so.1)
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

/* Run in a child, which may be killed: return its exit status, or CANNOT_TELL if a signal ended it. */
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
    return CANNOT_TELL;
}

static int body(void)
{
    const uint32_t conditions[] = {EQUAL, EQUAL};
    const int64_t values[] = {1, 7};
    handle signals[2] = {{0}, {0}};
    waiter *wait_all;
    uint32_t result;

    need("hsa_amd_signal_wait_all", &wait_all);
    need("hsa_signal_create", &(void *){NULL});
    initialise();
    signals[1] = signal_of(7);
    result = wait_all(2, signals, conditions, values, 1000, 1, NULL);
    printf("result %#x\n", result);
    return result != 0;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(body);
}
