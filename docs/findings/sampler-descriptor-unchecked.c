/* A filter that does not exist has to be refused when a sampler is created.
 *
 * usage: sampler-descriptor-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, an image or a sampler: all have this form */

enum {
    CANNOT_TELL = 77, DEVICE = 17, GPU = 1, SUCCESS = 0, NO_FILTER = 7, CLAMP = 1,
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

static int choose(handle agent, void *chosen)
{
    int (*agent_info)(handle, uint32_t, void *);
    uint32_t device;

    need("hsa_agent_get_info", &agent_info);
    if (agent_info(agent, DEVICE, &device) == SUCCESS && device == GPU)
        *(handle *)chosen = agent;
    return SUCCESS;
}

/* Initialise, and return the last GPU. */
static handle initialise(void)
{
    int (*init)(void);
    int (*agents)(int (*)(handle, void *), void *);
    handle gpu = {0};

    need("hsa_init", &init);
    need("hsa_iterate_agents", &agents);
    if (init())
        cannot_tell("hsa_init fails: is there a GPU?");
    agents(choose, &gpu);
    if (!gpu.handle)
        cannot_tell("no GPU");
    return gpu;
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

static int create(void)
{
    static const uint32_t descriptor[3] = {0, NO_FILTER, CLAMP};
    int (*function)(handle, const void *, handle *);
    handle gpu = initialise(), sampler;
    int status;

    need("hsa_ext_sampler_create", &function);
    status = function(gpu, descriptor, &sampler);
    printf("status %#x\n", (unsigned)status);
    return status == SUCCESS;
}

int main(int count, char **words)
{
    int (*const calls[])(void) = {create};
    int defects = 0, judged = 0;

    load(count, words);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int status = survive(calls[i]);

        if (status == CANNOT_TELL)
            continue;
        defects += status;
        judged++;
    }
    return judged ? defects > 0 : CANNOT_TELL;
}
