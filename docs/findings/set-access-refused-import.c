/* When mapped memory cannot be imported for an agent, access is refused, and the process goes on.
 *
 * usage: hsa-conformance virtual-kfd run -- set-access-refused-import [LIBRARY]    (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool, or virtual memory: all have this form */

enum {
    CANNOT_TELL = 77, INFO_DEVICE = 17, INFO_BREAK = 1, POOL_ALLOC_ALLOWED = 5,
    POOL_GRANULE = 6, VIRTUAL_MEMORY_SUPPORTED = 0x205, GPU = 1, READ_WRITE = 3,
    LIBDRM = 0x102,
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

/* What the imitated driver has to refuse; the first member of a file of its machine. */
struct refusal {
    int32_t call, after, error, met;
};

static int machine(void)
{
    const char *folder = getenv("HSA_VIRTUAL_KFD");
    char path[4096];
    int file;

    if (!folder)
        cannot_tell("no imitated machine, whose driver could refuse something");
    snprintf(path, sizeof path, "%s/shared", folder);
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        cannot_tell(path);
    return file;
}

static void refuse(int32_t call, int32_t after, int32_t error)
{
    struct refusal refusal = {call, after, error, 0};
    int file = machine();

    if (pwrite(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver cannot be told what to refuse");
    close(file);
}

/* Let nothing be refused any more, and tell whether something was. */
static int refused(void)
{
    struct refusal refusal = {0, 0, 0, 0};
    int file = machine();

    if (pread(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver does not tell what it refused");
    close(file);
    refuse(0, 0, 0);
    return refusal.met;
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

static void find_agents(void)
{
    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
}

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

    agents(take_agent, &device);
    if (!device.agent.handle)
        cannot_tell("an agent is missing");
    return device.agent;
}

static int (*pool_info)(handle, uint32_t, void *);
static int (*pools)(handle, int (*)(handle, void *), void *);

static void find_pools(void)
{
    need("hsa_amd_memory_pool_get_info", &pool_info);
    need("hsa_amd_agent_iterate_memory_pools", &pools);
}

struct choice {
    bool allocatable;
    handle pool;
};

static int take_pool(handle pool, void *data)
{
    struct choice *wanted = data;
    bool allocatable;

    if (pool_info(pool, POOL_ALLOC_ALLOWED, &allocatable) || allocatable != wanted->allocatable)
        return 0;
    wanted->pool = pool;
    return INFO_BREAK;
}

static handle pool_of(handle agent, bool allocatable)
{
    struct choice choice = {allocatable, {0}};

    pools(agent, take_pool, &choice);
    if (!choice.pool.handle)
        cannot_tell("a pool is missing");
    return choice.pool;
}

static size_t granule_of(handle pool)
{
    size_t granule;

    if (pool_info(pool, POOL_GRANULE, &granule))
        cannot_tell("the granule is unknown");
    return granule;
}

static void need_virtual_memory(void)
{
    int (*system_info)(uint32_t, void *);
    bool supported = false;

    need("hsa_system_get_info", &system_info);
    if (system_info(VIRTUAL_MEMORY_SUPPORTED, &supported) || !supported)
        cannot_tell("no virtual memory");
}

static int (*reserve)(void **, size_t, uint64_t, uint64_t);
static int (*map)(void *, size_t, size_t, handle, uint64_t);

static void *reserved(size_t size)
{
    void *va = NULL;

    need("hsa_amd_vmem_address_reserve", &reserve);
    need("hsa_amd_vmem_map", &map);
    if (reserve(&va, size, 0, 0))
        cannot_tell("no addresses");
    return va;
}

static int (*create)(handle, size_t, int, uint64_t, handle *);

static handle created(handle pool, size_t size)
{
    handle memory;

    need("hsa_amd_vmem_handle_create", &create);
    if (create(pool, size, 0, 0, &memory))
        cannot_tell("no memory");
    return memory;
}

struct access {
    int permission;
    handle agent;
};

static int body(void)
{
    int (*set)(void *, size_t, const struct access *, size_t);
    struct access access = {READ_WRITE, {0}};
    size_t granule;
    handle pool;
    void *va;
    int status;

    initialise();
    need_virtual_memory();
    find_agents();
    find_pools();
    need("hsa_amd_vmem_set_access", &set);
    access.agent = agent_of(GPU);
    pool = pool_of(access.agent, true);
    granule = granule_of(pool);
    va = reserved(granule);
    if (map(va, granule, 0, created(pool, granule), 0))
        cannot_tell("no mapping");
    refuse(LIBDRM, 0, ENOMEM);
    status = set(va, granule, &access, 1);
    printf("status %#x\n", (unsigned)status);
    return 0;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = survive(body);
    refused();
    return found;
}
