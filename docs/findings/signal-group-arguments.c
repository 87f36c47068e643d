/* Wrong arguments of the functions of signal groups have to be refused, and not to end the process.
 *
 * usage: signal-group-arguments [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, a signal, or a group of signals: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, INFO_BREAK = 1, EQUAL = 0, BLOCKED = 0,
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

static int take_agent(handle agent, void *data)
{
    *(handle *)data = agent;
    return INFO_BREAK;
}

static int (*create_group)(uint32_t, const handle *, uint32_t, const handle *, handle *);
static int (*wait_any)(handle, const uint32_t *, const int64_t *, uint32_t, handle *, int64_t *);
static handle agents[2], signals[2], group;
static const uint32_t conditions[] = {EQUAL};
static const int64_t values[] = {0};

/* Two times the same agent and the same signal, whose value is 0, and a group of that signal. */
static void prepare(void)
{
    int (*iterate)(int (*)(handle, void *), void *);
    int (*create)(int64_t, uint32_t, const handle *, handle *);

    need("hsa_iterate_agents", &iterate);
    need("hsa_signal_create", &create);
    initialise();
    if (iterate(take_agent, &agents[0]) != INFO_BREAK)
        cannot_tell("there is no agent");
    if (create(0, 0, NULL, &signals[0]))
        cannot_tell("no signal can be created");
    agents[1] = agents[0];
    signals[1] = signals[0];
    if (create_group(1, signals, 1, agents, &group))
        cannot_tell("no group can be created");
}

static int told(int status)
{
    printf("status %#x\n", (unsigned)status);
    return status == SUCCESS;
}

static handle made;
static handle met;
static int64_t seen;

static int create_without_signals(void)
{
    prepare();
    return told(create_group(1, NULL, 1, agents, &made));
}

static int create_without_consumers(void)
{
    prepare();
    return told(create_group(1, signals, 1, NULL, &made));
}

static int create_with_no_consumer(void)
{
    prepare();
    return told(create_group(1, signals, 0, agents, &made));
}

static int create_to_null(void)
{
    prepare();
    return told(create_group(1, signals, 1, agents, NULL));
}

static int create_with_a_signal_twice(void)
{
    prepare();
    return told(create_group(2, signals, 1, agents, &made));
}

static int create_with_a_consumer_twice(void)
{
    prepare();
    return told(create_group(1, signals, 2, agents, &made));
}

static int wait_without_conditions(void)
{
    prepare();
    return told(wait_any(group, NULL, values, BLOCKED, &met, &seen));
}

static int wait_without_values(void)
{
    prepare();
    return told(wait_any(group, conditions, NULL, BLOCKED, &met, &seen));
}

static int wait_without_signal(void)
{
    prepare();
    return told(wait_any(group, conditions, values, BLOCKED, NULL, &seen));
}

static int wait_without_value(void)
{
    prepare();
    return told(wait_any(group, conditions, values, BLOCKED, &met, NULL));
}

int main(int count, char **words)
{
    const struct {
        const char *wrong;
        int (*body)(void);
    } calls[] = {
        {"a group of signals that are NULL", create_without_signals},
        {"a group for consumers that are NULL", create_without_consumers},
        {"a group for no consumers", create_with_no_consumer},
        {"a group to NULL", create_to_null},
        {"a group of a signal and itself", create_with_a_signal_twice},
        {"a group for a consumer and itself", create_with_a_consumer_twice},
        {"a wait for conditions that are NULL", wait_without_conditions},
        {"a wait for values that are NULL", wait_without_values},
        {"a wait with the signal to NULL", wait_without_signal},
        {"a wait with the value to NULL", wait_without_value},
    };
    int defects = 0;

    load(count, words);
    need("hsa_signal_group_create", &create_group);
    need("hsa_signal_group_wait_any_scacquire", &wait_any);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int status;

        printf("%s:\n", calls[i].wrong);
        status = survive(calls[i].body);
        if (status == CANNOT_TELL)
            return status;
        defects += status;
    }
    return defects > 0;
}
