/* An output that is NULL has to be refused, and not to end the process.
 *
 * usage: spm-null-outputs [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
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
    CANNOT_TELL = 77, INFO_DEVICE = 17, INFO_BREAK = 1, GPU = 1,
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

static int (*agent_info)(handle, uint32_t, void *);

struct device {
    uint32_t type;
    handle agent;
};

static int take_agent(handle agent, void *data)
{
    struct device *wanted = data;
    uint32_t type;

    if (agent_info(agent, INFO_DEVICE, &type) || type != wanted->type)
        return 0;
    wanted->agent = agent;
    return INFO_BREAK;
}

static handle agent_of(uint32_t type)
{
    struct device device = {type, {0}};
    int (*agents)(int (*)(handle, void *), void *);

    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
    agents(take_agent, &device);
    if (!device.agent.handle)
        cannot_tell("an agent is missing");
    return device.agent;
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

static int set(int missing)
{
    int (*set_buffer)(handle, size_t, uint32_t *, uint32_t *, void *, bool *);
    uint32_t timeout = 0, copied;
    bool lost;

    initialise();
    need("hsa_amd_spm_set_dest_buffer", &set_buffer);
    printf("status %#x\n",
           (unsigned)set_buffer(agent_of(GPU), 0, missing == 0 ? NULL : &timeout,
                                missing == 1 ? NULL : &copied, NULL, missing == 2 ? NULL : &lost));
    return 0;
}

static int no_timeout(void)
{
    return set(0);
}

static int no_count(void)
{
    return set(1);
}

static int no_loss(void)
{
    return set(2);
}

int main(int count, char **words)
{
    int (*const bodies[])(void) = {no_timeout, no_count, no_loss};
    int worst = 0;

    load(count, words);
    for (int i = 0; i < 3; i++) {
        int found = survive(bodies[i]);
        if (found == 1 || worst == 0)
            worst = found;
    }
    return worst;
}
