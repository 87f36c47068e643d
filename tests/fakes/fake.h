/* Types of the HSA runtime's ABI, the state of the honest implementation, and its hooks. */
#ifndef FAKE_H
#define FAKE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

enum {
    SUCCESS = 0x0,
    INFO_BREAK = 0x1,
    ERROR = 0x1000,
    INVALID_ARGUMENT = 0x1001,
    INVALID_ALLOCATION = 0x1003,
    INVALID_AGENT = 0x1004,
    OUT_OF_RESOURCES = 0x1008,
    RESOURCE_FREE = 0x100A,
    NOT_INITIALIZED = 0x100B,
    REFCOUNT_OVERFLOW = 0x100C,
    INVALID_MEMORY_POOL = 40,
};

typedef int32_t hsa_status_t;
typedef struct { uint64_t handle; } hsa_agent_t;
typedef struct { uint64_t handle; } hsa_amd_memory_pool_t;
typedef struct { uint64_t handle; } hsa_amd_vmem_alloc_handle_t;

typedef struct {
    uint32_t permissions;
    hsa_agent_t agent_handle;
} hsa_amd_memory_access_desc_t;

typedef struct {
    uint32_t size;
    uint32_t type;
    void *agent_base;
    void *host_base;
    size_t bytes;
    void *user_data;
    hsa_agent_t owner;
    uint32_t global_flags;
    bool registered;
    uint32_t alloc_flags;
} hsa_amd_pointer_info_t;

/* How often the runtime can be initialised. */
#ifndef FAKE_MOST_REFERENCES
#define FAKE_MOST_REFERENCES INT32_MAX
#endif

/* The version of AMD's interface that the version queries answer. */
#ifndef FAKE_EXT_MINOR
#define FAKE_EXT_MINOR 18
#endif

/* Hooks around every exported function: FAKE_BEFORE(name) runs before it does anything, and
 * FAKE_AFTER(name, status) gives the status it answers in the end. */
#ifndef FAKE_BEFORE
#define FAKE_BEFORE(name) ((void)(name))
#endif
#ifndef FAKE_AFTER
#define FAKE_AFTER(name, status) ((void)(name), (status))
#endif

/* Sets the bits of the extensions that there are in their mask of 128 bytes. */
#ifndef FAKE_EXTENSIONS
#define FAKE_EXTENSIONS(mask) ((void)(mask))
#endif

enum { CPU, GPU, AGENTS };
enum { CPU_FINE, CPU_COARSE, GPU_COARSE, GPU_GROUP, POOLS };
enum { NONE, READ_ONLY, WRITE_ONLY, READ_WRITE, NEVER_SET }; /* NEVER_SET is ours */

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))

/* Memory that a handle stands for. It stays charged to its pool while it has a handle or a mapping;
 * memory imported from somebody else is charged there. */
typedef struct object {
    struct object *next;
    uint64_t handle;
    size_t size;
    int pool, type, descriptor;
    unsigned references, mappings;
    bool imported;
} object;

enum kind { RESERVATION, MAPPING, BUFFER };

/* A range of addresses: reserved, mapped inside a reservation, or allocated from a pool. */
typedef struct range {
    struct range *next;
    enum kind kind;
    char *start;
    size_t size;
    object *memory; /* of a mapping */
    int pool;       /* of a mapping or buffer */
    int access[AGENTS];
} range;

/* One lock for everything; recursive, because callbacks call back. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int32_t references;
static object *objects;
static range *ranges;
static size_t used[POOLS]; /* bytes */
static unsigned endings; /* of the runtime */

/* Define an exported function that needs an initialised runtime. */
#define FUNCTION(name, parameters, arguments) \
    static hsa_status_t locked_##name parameters; \
    hsa_status_t name parameters \
    { \
        FAKE_BEFORE(#name); \
        pthread_mutex_lock(&lock); \
        hsa_status_t outcome = references ? locked_##name arguments : NOT_INITIALIZED; \
        pthread_mutex_unlock(&lock); \
        return FAKE_AFTER(#name, outcome); \
    } \
    static hsa_status_t locked_##name parameters

#endif
