/* A prefetch with no agent, no list, or no signal has to be refused.
 *
 * usage: svm-prefetch-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, a region, a pool, or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, DEVICE = 17, CPU = 0, GPU = 1, cpu_wanted = 1, signal_wanted = 1,
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

static handle cpu, gpu;

static int note_agent(handle agent, void *data)
{
    int (*info)(handle, uint32_t, void *);
    uint32_t device;

    (void)data;
    need("hsa_agent_get_info", &info);
    if (info(agent, DEVICE, &device))
        return 0;
    if (device == CPU && !cpu.handle)
        cpu = agent;
    if (device == GPU && !gpu.handle)
        gpu = agent;
    return 0;
}

static void find_agents(void)
{
    int (*iterate)(int (*)(handle, void *), void *);

    need("hsa_iterate_agents", &iterate);
    iterate(note_agent, NULL);
    if (!cpu.handle || !gpu.handle)
        cannot_tell("a CPU and a GPU are needed");
}

static handle signal_of(int64_t value)
{
    int (*create)(int64_t, uint32_t, const handle *, handle *);
    handle made = {0};

    need("hsa_signal_create", &create);
    if (create(value, 0, NULL, &made))
        cannot_tell("no signal");
    return made;
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

static char memory[8192];
static uint64_t nothing[512];
static uint32_t waits;
static handle agent, list[2], done;
static const handle *after;

static int body(void)
{
    int (*fetch)(void *, size_t, handle, uint32_t, const handle *, handle);
    handle never;
    int status;

    need("hsa_amd_svm_prefetch_async", &fetch);
    initialise();
    find_agents();
    never = signal_of(1); /* the prefetch waits for it, and never begins */
    if (agent.handle == cpu_wanted)
        agent = cpu;
    if (done.handle == signal_wanted)
        done = signal_of(1);
    list[1] = never;
    status = fetch(memory, 4096, agent, waits, after, done);
    printf("status %#x\n", (unsigned)status);
    fflush(stdout);
    _exit(status == SUCCESS);
}

static int is_wrong(const char *what)
{
    int status;

    printf("%s: ", what);
    status = survive(body);
    if (status == CANNOT_TELL)
        exit(CANNOT_TELL);
    agent.handle = cpu_wanted;
    done.handle = signal_wanted;
    list[0].handle = (uintptr_t)nothing;
    after = list + 1;
    waits = 1;
    return status;
}

int main(int count, char **words)
{
    int wrong;

    load(count, words);
    agent.handle = 0, done.handle = signal_wanted, after = list + 1, waits = 1;
    wrong = is_wrong("agent 0");
    agent.handle = (uintptr_t)nothing;
    wrong |= is_wrong("memory that is no agent");
    after = NULL;
    wrong |= is_wrong("one signal in no list");
    after = list, waits = 2;
    wrong |= is_wrong("memory that is no signal, in the list");
    done.handle = (uintptr_t)nothing;
    wrong |= is_wrong("memory that is no signal, for the end");
    return wrong;
}
