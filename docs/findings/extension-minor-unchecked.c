/* Room for a minor version that is NULL is refused.
 *
 * usage: extension-minor-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, or another object: all have this form */

enum {
    CANNOT_TELL = 77, INVALID_ARGUMENT = 0x1001, INFO_DEVICE = 17, CPU = 0, IMAGES = 1,
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

static int take_cpu(handle agent, void *cpu)
{
    uint32_t device = 1;

    if (agent_info(agent, INFO_DEVICE, &device) || device != CPU)
        return 0;
    *(handle *)cpu = agent;
    return 1;
}

int main(int count, char **words)
{
    int (*agents)(int (*)(handle, void *), void *);
    int (*agent_has_major)(uint16_t, handle, uint16_t, uint16_t *, _Bool *);
    handle cpu = {0}; /* of a GPU the call would write through NULL */
    _Bool result = 0;
    int answer;

    load(count, words);
    initialise();
    need("hsa_iterate_agents", &agents);
    need("hsa_agent_get_info", &agent_info);
    need("hsa_agent_major_extension_supported", &agent_has_major);
    agents(take_cpu, &cpu);
    if (!cpu.handle)
        cannot_tell("no agent of the host");
    answer = agent_has_major(IMAGES, cpu, 1, NULL, &result);
    printf("answer %#x\n", answer);
    return answer != INVALID_ARGUMENT;
}
