/* Memory that no region gave has no owner that could be changed.
 *
 * usage: assign-agent-any-address [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a region, a pool, or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, DEVICE = 17, CPU = 0, GPU = 1, READ_WRITE = 3,
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

int main(int count, char **words)
{
    static uint64_t memory[512];
    int (*assign)(void *, handle, uint32_t);
    int status;

    load(count, words);
    need("hsa_memory_assign_agent", &assign);
    initialise();
    find_agents();
    status = assign(memory, cpu, READ_WRITE);
    printf("status %#x\n", (unsigned)status);
    return status == SUCCESS;
}
