/* What four queries and a mask say of extensions agrees.
 *
 * usage: extension-answers [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, SYSTEM_EXTENSIONS = 7, INFO_DEVICE = 17, GPU = 1, COUNTERS = 2,
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

static int take_gpu(handle agent, void *gpu)
{
    uint32_t device = 0;

    if (agent_info(agent, INFO_DEVICE, &device) || device != GPU)
        return 0;
    *(handle *)gpu = agent;
    return 1;
}

static int (*system_has)(uint16_t, uint16_t, uint16_t, _Bool *);
static int (*system_has_major)(uint16_t, uint16_t, uint16_t *, _Bool *);
static int (*agent_has)(uint16_t, handle, uint16_t, uint16_t, _Bool *);

static const uint16_t numbers[] = {0, 1, 2, 3, 0x200, 0x201, 0x202};

static int defects;

static void check_system(void)
{
    int (*system_info)(uint32_t, void *);
    uint8_t mask[128];
    size_t i;

    need("hsa_system_get_info", &system_info);
    if (system_info(SYSTEM_EXTENSIONS, mask))
        cannot_tell("no mask of extensions");
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        _Bool exact = 0, major = 0;
        uint16_t number = numbers[i], minor;

        if (mask[number / 8] >> number % 8 & 1)
            continue;
        system_has(number, 1, 0, &exact);
        system_has_major(number, 1, &minor, &major);
        if (exact || major) {
            printf("extension %#x: not in the mask, and 1.0 is%s supported, 1.x is%s\n", number,
                   exact ? "" : " not", major ? "" : " not");
            defects++;
        }
    }
}

static void check_agent(handle gpu)
{
    _Bool system = 1, agent = 0;

    system_has(COUNTERS, 1, 0, &system);
    agent_has(COUNTERS, gpu, 1, 0, &agent);
    if (agent && !system) {
        printf("extension %d: the agent supports 1.0, the system does not\n", COUNTERS);
        defects++;
    }
}

int main(int count, char **words)
{
    int (*agents)(int (*)(handle, void *), void *);
    handle gpu = {0};

    load(count, words);
    initialise();
    need("hsa_iterate_agents", &agents);
    need("hsa_agent_get_info", &agent_info);
    need("hsa_system_extension_supported", &system_has);
    need("hsa_system_major_extension_supported", &system_has_major);
    need("hsa_agent_extension_supported", &agent_has);
    check_system();
    agents(take_gpu, &gpu);
    if (gpu.handle)
        check_agent(gpu);
    return defects > 0;
}
