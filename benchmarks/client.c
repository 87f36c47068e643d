/* Prints what calls of an HSA runtime cost a C program: lines of a name, a figure and its unit.

   Arguments: the path of the library, and the names of what to measure: `start` (which whoever runs
   this measures from outside), `calls`, `vmem`, `packets`, `many`. The library is opened at run time,
   so one program measures every library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle_t;

typedef uint32_t status_t;
typedef status_t (*visit_t)(handle_t, void *);

/* hsa_queue_t, and the one layout of all barrier packets. */
typedef struct {
    uint32_t type, features;
    void *base;
    handle_t doorbell;
    uint32_t size, reserved;
    uint64_t id;
} queue_t;

typedef struct {
    uint16_t header, reserved;
    uint32_t more;
    handle_t depends[5];
    uint64_t last;
    handle_t completion;
} barrier_t;

#define FUNCTIONS(X)                                                                               \
    X(status_t, hsa_init, (void))                                                                  \
    X(status_t, hsa_shut_down, (void))                                                             \
    X(status_t, hsa_system_get_info, (uint32_t, void *))                                           \
    X(status_t, hsa_iterate_agents, (visit_t, void *))                                             \
    X(status_t, hsa_agent_get_info, (handle_t, uint32_t, void *))                                  \
    X(status_t, hsa_signal_create, (int64_t, uint32_t, const void *, handle_t *))                  \
    X(int64_t, hsa_signal_load_relaxed, (handle_t))                                                \
    X(int64_t, hsa_signal_load_scacquire, (handle_t))                                              \
    X(void, hsa_signal_store_screlease, (handle_t, int64_t))                                       \
    X(void, hsa_signal_add_scacq_screl, (handle_t, int64_t))                                       \
    X(int64_t, hsa_signal_wait_scacquire, (handle_t, uint32_t, int64_t, uint64_t, uint32_t))       \
    X(status_t, hsa_queue_create,                                                                  \
      (handle_t, uint32_t, uint32_t, void *, void *, uint32_t, uint32_t, queue_t **))              \
    X(uint64_t, hsa_queue_load_read_index_scacquire, (const queue_t *))                            \
    X(uint64_t, hsa_queue_add_write_index_scacq_screl, (const queue_t *, uint64_t))                \
    X(status_t, hsa_amd_agent_iterate_memory_pools, (handle_t, visit_t, void *))                   \
    X(status_t, hsa_amd_memory_pool_get_info, (handle_t, uint32_t, void *))                        \
    X(status_t, hsa_amd_vmem_address_reserve, (void **, size_t, uint64_t, uint64_t))               \
    X(status_t, hsa_amd_vmem_handle_create, (handle_t, size_t, uint32_t, uint64_t, handle_t *))    \
    X(status_t, hsa_amd_vmem_map, (void *, size_t, size_t, handle_t, uint64_t))                    \
    X(status_t, hsa_amd_vmem_unmap, (void *, size_t))

#define DECLARE(result, name, parameters) static result(*name) parameters;
FUNCTIONS(DECLARE)

enum { SYSTEM_MAJOR = 0, AGENT_WAVEFRONT_SIZE = 6, AGENT_QUEUES_MAX = 12, AGENT_DEVICE = 17 };
enum { POOL_GRANULE = 6, POOL_ALLOC_ALLOWED = 5, GPU = 1, FOUND = 1, ROUNDS = 7 };
enum { MULTI = 0, BARRIER_AND = 3, EQUAL = 0, FENCES = 2 << 9 | 2 << 11 };

static handle_t agent, signal_, pool;
static queue_t *queue;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void check(const char *what, status_t status)
{
    if (!status)
        return;
    fprintf(stderr, "%s: %#x\n", what, status);
    exit(1);
}
#define DO(call) check(#call, call)

static status_t choose_gpu(handle_t found, void *unused)
{
    uint32_t device = GPU;
    DO(hsa_agent_get_info(found, AGENT_DEVICE, &device));
    (void)unused;
    agent = found;
    return device == GPU ? FOUND : 0;
}

static status_t choose_pool(handle_t found, void *unused)
{
    bool allowed = false;
    DO(hsa_amd_memory_pool_get_info(found, POOL_ALLOC_ALLOWED, &allowed));
    (void)unused;
    pool = found;
    return allowed ? FOUND : 0;
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The median of several rounds, in microseconds for each pass of the body. */
#define MEASURE(what, times, body)                                                                 \
    do {                                                                                           \
        double taken[ROUNDS];                                                                      \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            double started = now();                                                                \
            for (int i = 0; i < (times); i++) {                                                    \
                body;                                                                              \
            }                                                                                      \
            taken[round] = (now() - started) / (times) * 1e6;                                      \
        }                                                                                          \
        qsort(taken, ROUNDS, sizeof *taken, ascending);                                            \
        printf("%s\t%.3f\tus\n", what, taken[ROUNDS / 2]);                                         \
        fflush(stdout);                                                                            \
    } while (0)

static void calls(void)
{
    uint64_t room[16];
    MEASURE("signal load", 20000, hsa_signal_load_scacquire(signal_));
    MEASURE("signal store", 20000, hsa_signal_store_screlease(signal_, i));
    MEASURE("signal add", 20000, hsa_signal_add_scacq_screl(signal_, 1));
    hsa_signal_store_screlease(signal_, 0);
    MEASURE("wait that is over at once", 20000,
            hsa_signal_wait_scacquire(signal_, EQUAL, 0, UINT64_MAX, 0));
    MEASURE("queue index load", 20000, hsa_queue_load_read_index_scacquire(queue));
    MEASURE("attribute query, system", 20000, DO(hsa_system_get_info(SYSTEM_MAJOR, room)));
    MEASURE("attribute query, agent", 20000,
            DO(hsa_agent_get_info(agent, AGENT_WAVEFRONT_SIZE, room)));
    MEASURE("attribute query, pool", 20000,
            DO(hsa_amd_memory_pool_get_info(pool, POOL_GRANULE, room)));
}

static void vmem(void)
{
    size_t size = 0;
    void *address;
    handle_t memory;
    DO(hsa_amd_memory_pool_get_info(pool, POOL_GRANULE, &size));
    DO(hsa_amd_vmem_address_reserve(&address, size, 0, 0));
    DO(hsa_amd_vmem_handle_create(pool, size, 0, 0, &memory));
    MEASURE("virtual memory map and unmap", 2000,
            DO(hsa_amd_vmem_map(address, size, 0, memory, 0));
            DO(hsa_amd_vmem_unmap(address, size)));
}

/* Each packet counts a signal down when it completes. */
static void packets(void)
{
    enum { COUNT = 20000 };
    hsa_signal_store_screlease(signal_, COUNT);
    barrier_t *ring = queue->base;
    double started = now();
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t index = hsa_queue_add_write_index_scacq_screl(queue, 1);
        while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
            usleep(10);
        barrier_t *packet = &ring[index % queue->size];
        memset((char *)packet + sizeof packet->header, 0, sizeof *packet - sizeof packet->header);
        packet->completion = signal_;
        __atomic_store_n(&packet->header, BARRIER_AND | FENCES, __ATOMIC_RELEASE);
        hsa_signal_store_screlease(queue->doorbell, (int64_t)index);
    }
    hsa_signal_wait_scacquire(signal_, EQUAL, 0, UINT64_MAX, 0);
    printf("barrier packets through one queue\t%.0f\t/s\n", COUNT / (now() - started));
}

static double resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        exit(1);
    fclose(file);
    return (double)pages * sysconf(_SC_PAGESIZE) / 1e6;
}

static status_t fill_with_queues(handle_t of, void *count)
{
    queue_t *made;
    uint32_t most = 0;
    DO(hsa_agent_get_info(of, AGENT_QUEUES_MAX, &most));
    for (uint32_t i = 0; i < most && *(int *)count < 1000; i++)
        if (hsa_queue_create(of, 64, MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &made) == 0)
            ++*(int *)count;
    return 0;
}

static void many(void)
{
    int queues = 0;
    handle_t made;
    printf("resident memory at first\t%.0f\tMB\n", resident());
    DO(hsa_iterate_agents(fill_with_queues, &queues));
    printf("resident memory with %d queues\t%.0f\tMB\n", queues, resident());
    for (int i = 0; i < 100000; i++)
        DO(hsa_signal_create(0, 0, NULL, &made));
    printf("resident memory with 100000 signals as well\t%.0f\tMB\n", resident());
}

static void open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define LOOK_UP(result, name, parameters)                                                          \
    if (!(name = (result(*) parameters)dlsym(library, #name)))                                     \
        fprintf(stderr, "no %s\n", #name);
    FUNCTIONS(LOOK_UP)
}

static void measure(const char *part)
{
    static const struct {
        const char *name;
        void (*measure)(void);
    } parts[] = {{"calls", calls}, {"vmem", vmem}, {"packets", packets}, {"many", many}};

    hsa_amd_agent_iterate_memory_pools(agent, choose_pool, NULL);
    DO(hsa_signal_create(0, 0, NULL, &signal_));
    DO(hsa_queue_create(agent, 1024, MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(part, parts[i].name))
            parts[i].measure();
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    open_library(words[1]);
    DO(hsa_init());
    hsa_iterate_agents(choose_gpu, NULL);
    for (int word = 2; word < count; word++)
        if (strcmp(words[word], "start"))
            measure(words[word]);
    DO(hsa_shut_down());
    return 0;
}
