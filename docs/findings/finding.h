/* What the programs of the findings share.
 *
 * cc -std=c11 -Wall -Wextra -o finding PROGRAM.c -ldl
 * ./finding [LIBRARY]      (default: libhsa-runtime64.so.1)
 *
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 *
 * No header of the runtime is needed: types, constants and functions that a program uses are
 * declared here or in the program, by the names that they have in hsa.h and hsa_ext_amd.h.
 */
#ifndef FINDING_H
#define FINDING_H

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

enum { NO_DEFECT = 0, DEFECT = 1, CANNOT_TELL = 77 };

static inline void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

/* The library */

static void *library;

static inline void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

static inline bool has(const char *name)
{
    return dlsym(library, name) != NULL;
}

static inline void need(const char *name)
{
    if (!has(name))
        cannot_tell(name);
}

static inline void find(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (!found)
        cannot_tell(name);
    memcpy(function, &found, sizeof found);
}

/* Declare a function of the library; if the library lacks it, the call ends with CANNOT_TELL. */
#define FUNCTION(type, name, parameters, arguments) \
    static inline type name parameters              \
    {                                               \
        static type(*function) parameters;          \
                                                    \
        if (!function)                              \
            find(#name, (void *)&function);         \
        return function arguments;                  \
    }

/* Make a call, print it and its status, and return the status. */
#define STATUS_OF(call) (print_call(#call), print_status(call))

static inline void print_call(const char *call)
{
    printf("%s: ", call);
    fflush(stdout);
}

static inline int print_status(int status)
{
    printf("status %#x\n", (unsigned)status);
    return status;
}

enum {
    HSA_STATUS_SUCCESS = 0, HSA_STATUS_INFO_BREAK = 1, HSA_STATUS_ERROR_INVALID_ARGUMENT = 0x1001,
    HSA_STATUS_ERROR_INVALID_ALLOCATION = 0x1003, HSA_STATUS_ERROR_INVALID_AGENT = 0x1004,
    HSA_STATUS_ERROR_INVALID_SIGNAL = 0x1006, HSA_STATUS_ERROR_INVALID_QUEUE = 0x1007,
    HSA_STATUS_ERROR_OUT_OF_RESOURCES = 0x1008, HSA_STATUS_ERROR_NOT_INITIALIZED = 0x100b,
};

FUNCTION(int, hsa_init, (void), ())
FUNCTION(int, hsa_system_get_info, (int attribute, void *value), (attribute, value))

static inline void initialise(void)
{
    if (hsa_init())
        cannot_tell("hsa_init fails: is there a GPU?");
}

static inline void start(int count, char **words)
{
    load(count, words);
    initialise();
}

/* Calls that may end the process */

typedef int body(void);

/* Run in a child: return its exit status, or 128 + the number of the signal that ended it. */
static inline int run(body *body, unsigned seconds)
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(seconds);
        exit(body());
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    printf("the process was ended by signal %d\n", WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* Run in a child for so many seconds: return its exit status, or DEFECT if a signal ended it. */
static inline int survive_within(body *body, unsigned seconds)
{
    int status = run(body, seconds);

    if (status == 128 + SIGALRM)
        cannot_tell("the call did not come back");
    return status > 128 ? DEFECT : status;
}

static inline int survive(body *body)
{
    return survive_within(body, 60);
}

/* Run each in a child of its own: a defect if one of them shows it, no matter which cannot tell. */
#define ANY_OF(...) any_of((body *const[]){__VA_ARGS__, NULL})

static inline int any_of(body *const *bodies)
{
    int result = CANNOT_TELL;

    for (; *bodies; bodies++) {
        int status = survive(*bodies);

        if (result != DEFECT && status != CANNOT_TELL)
            result = status;
    }
    return result;
}

/* Agents */

typedef struct {
    uint64_t handle;
} handle; /* all handles have this form */

typedef handle hsa_agent_t, hsa_region_t, hsa_signal_t, hsa_isa_t, hsa_cache_t;
typedef handle hsa_amd_memory_pool_t, hsa_amd_vmem_alloc_handle_t;
typedef int visitor(handle, void *);

enum { HSA_AGENT_INFO_NAME = 0, HSA_AGENT_INFO_DEVICE = 17 };
enum { HSA_DEVICE_TYPE_CPU = 0, HSA_DEVICE_TYPE_GPU = 1 };

FUNCTION(int, hsa_iterate_agents, (visitor *visit, void *data), (visit, data))
FUNCTION(int, hsa_agent_get_info, (hsa_agent_t agent, int attribute, void *value),
         (agent, attribute, value))

struct agent_choice {
    uint32_t type;
    hsa_agent_t agent;
};

static inline int choose_agent(hsa_agent_t agent, void *data)
{
    struct agent_choice *choice = data;
    uint32_t type;

    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) || type != choice->type)
        return HSA_STATUS_SUCCESS;
    choice->agent = agent;
    return HSA_STATUS_INFO_BREAK;
}

struct two_agents {
    uint32_t type;
    unsigned count;
    hsa_agent_t agents[2];
};

static inline int choose_two(hsa_agent_t agent, void *data)
{
    struct two_agents *chosen = data;
    uint32_t type;

    if (!hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) && type == chosen->type &&
        chosen->count < 2)
        chosen->agents[chosen->count++] = agent;
    return HSA_STATUS_SUCCESS;
}

/* The first two agents of a type of device. */
static inline struct two_agents two_agents_of(uint32_t type)
{
    struct two_agents chosen = {.type = type};

    hsa_iterate_agents(choose_two, &chosen);
    if (chosen.count < 2)
        cannot_tell("a second agent is missing");
    return chosen;
}

/* The first agent of a type of device. */
static inline hsa_agent_t agent_of(uint32_t type)
{
    struct agent_choice choice = {type, {0}};

    hsa_iterate_agents(choose_agent, &choice);
    if (!choice.agent.handle)
        cannot_tell("an agent is missing");
    return choice.agent;
}

/* A handle that is readable memory, and nothing of the runtime's. */
static inline handle no_object(void)
{
    static uint64_t memory[1024];

    return (handle){(uintptr_t)(memory + 512)};
}

/* A descriptor of an ordinary file: only the runtime can make one of a GPU's memory. */
static inline int ordinary_file(void)
{
    char name[] = "/tmp/finding-XXXXXX";
    int file = mkstemp(name);

    if (file < 0)
        cannot_tell("no file");
    unlink(name);
    return file;
}

/* Memory pools */

enum {
    HSA_AMD_MEMORY_POOL_INFO_SEGMENT = 0, HSA_AMD_MEMORY_POOL_INFO_SIZE = 2,
    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED = 5,
    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE = 6,
};

FUNCTION(int, hsa_amd_agent_iterate_memory_pools, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_amd_memory_pool_get_info, (hsa_amd_memory_pool_t pool, int attribute, void *value),
         (pool, attribute, value))
FUNCTION(int, hsa_amd_memory_pool_allocate,
         (hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void **block),
         (pool, size, flags, block))

struct pool_choice {
    bool allocatable;
    hsa_amd_memory_pool_t pool;
};

static inline int choose_pool(hsa_amd_memory_pool_t pool, void *data)
{
    struct pool_choice *choice = data;
    bool allocatable;

    if (hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
                                     &allocatable) || allocatable != choice->allocatable)
        return HSA_STATUS_SUCCESS;
    choice->pool = pool;
    return HSA_STATUS_INFO_BREAK;
}

/* The first pool of an agent in which memory can be allocated, or cannot. */
static inline hsa_amd_memory_pool_t pool_of(hsa_agent_t agent, bool allocatable)
{
    struct pool_choice choice = {allocatable, {0}};

    hsa_amd_agent_iterate_memory_pools(agent, choose_pool, &choice);
    if (!choice.pool.handle)
        cannot_tell("a pool is missing");
    return choice.pool;
}

/* Memory of the first agent of a type of device. */
static inline void *block_of(uint32_t type, size_t size)
{
    void *block;

    if (hsa_amd_memory_pool_allocate(pool_of(agent_of(type), true), size, 0, &block))
        cannot_tell("no memory");
    return block;
}

/* Signals */

FUNCTION(int, hsa_signal_create,
         (int64_t value, uint32_t count, const hsa_agent_t *consumers, hsa_signal_t *signal),
         (value, count, consumers, signal))

static inline hsa_signal_t signal_of(int64_t value)
{
    hsa_signal_t signal;

    if (hsa_signal_create(value, 0, NULL, &signal))
        cannot_tell("no signal can be created");
    return signal;
}

#endif
