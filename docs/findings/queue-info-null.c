/* Asking for an attribute of a queue without room for it has to be refused.
 *
 * usage: queue-info-null [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, GPU = 1, INFO_BREAK = 1, INFO_DEVICE = 17, LEAST = 13, ANY = -1, QUEUE_AGENT = 0, SUCCESS = 0,
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

static int (*agent_info)(handle, uint32_t, void *);
static int (*agents)(int (*)(handle, void *), void *);

static int take_gpu(handle agent, void *data)
{
    uint32_t type;

    if (agent_info(agent, INFO_DEVICE, &type) || type != GPU)
        return 0;
    *(handle *)data = agent;
    return INFO_BREAK;
}

static handle find_gpu(void)
{
    handle found = {0};

    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
    agents(take_gpu, &found);
    if (!found.handle)
        cannot_tell("there is no GPU");
    return found;
}

/* The beginning of a hsa_queue_t. */
struct queue {
    uint32_t type, features;
    void *base;
    handle doorbell;
    uint32_t size;
};

typedef int creator(handle, uint32_t, uint32_t, void *, void *, uint32_t, uint32_t,
                    struct queue **);

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

static int body(void)
{
    int (*info)(struct queue *, uint32_t, void *);
    struct queue *queue = NULL;
    uint32_t least = 0;
    creator *create;
    handle gpu;
    int status;

    need("hsa_amd_queue_get_info", &info);
    need("hsa_queue_create", &create);
    initialise();
    gpu = find_gpu();
    if (agent_info(gpu, LEAST, &least) ||
        create(gpu, least, 0, NULL, NULL, (uint32_t)ANY, (uint32_t)ANY, &queue))
        cannot_tell("no queue can be created");
    status = info(queue, QUEUE_AGENT, NULL);
    printf("status %#x\n", (unsigned)status);
    return status == SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(body);
}
