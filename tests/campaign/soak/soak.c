/* Random programs: eight threads make and give back objects of every kind, again and again.
 *
 *     soak SOCKET SECONDS SEED CODE_OBJECT
 *
 * SOCKET is a descriptor that leads to another process of this program, CODE_OBJECT a file of code
 * that the first GPU of the machine can load. A round initialises the runtime, lets each thread do
 * what it draws, and shuts the runtime down; its end is a line "round N" on stdout. The first
 * answer that is not the one expected ends the process with a line on stderr.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hsa_of_release.h"

enum { THREADS = 8, STEPS = 60, PAGE = 4096 };

static int peer;
static const char *code_path;
static uint64_t ticks_of_a_second;
static hsa_agent_t cpu, gpus[8];
static uint32_t gpu_count;
static hsa_amd_memory_pool_t host_pool, device_pool;

typedef struct {
  uint64_t seed;
  int number;
} worker_t;

#define EXPECT(status, call)                                                        \
  do {                                                                              \
    hsa_status_t got_ = (call);                                                     \
    if (got_ != (status)) {                                                         \
      fprintf(stderr, "line %d: %s answered 0x%x and not %s\n", __LINE__, #call,    \
              (unsigned)got_, #status);                                             \
      _exit(1);                                                                     \
    }                                                                               \
  } while (0)
#define OK(call) EXPECT(HSA_STATUS_SUCCESS, call)
#define HOLDS(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition);         \
      _exit(1);                                                                     \
    }                                                                               \
  } while (0)

static uint64_t draw(worker_t *w, uint64_t below) {
  w->seed ^= w->seed << 13;
  w->seed ^= w->seed >> 7;
  w->seed ^= w->seed << 17;
  return w->seed % below;
}

/* Waits until the signal has a value, for ten seconds at most. */
static void await(hsa_signal_t signal, hsa_signal_value_t value) {
  hsa_signal_value_t seen = hsa_signal_wait_scacquire(
      signal, HSA_SIGNAL_CONDITION_EQ, value, 10 * ticks_of_a_second, HSA_WAIT_STATE_BLOCKED);
  HOLDS(seen == value);
}

static hsa_signal_t new_signal(hsa_signal_value_t value) {
  hsa_signal_t signal;
  OK(hsa_signal_create(value, 0, NULL, &signal));
  return signal;
}

static void signals(worker_t *w) {
  hsa_signal_value_t value = (hsa_signal_value_t)draw(w, 1000), more = (hsa_signal_value_t)draw(w, 9);
  hsa_signal_t signal = new_signal(value), other = new_signal(0);
  hsa_signal_add_screlease(signal, more);
  HOLDS(hsa_signal_load_scacquire(signal) == value + more);
  HOLDS(hsa_signal_cas_scacq_screl(signal, value + more, -1) == value + more);
  hsa_signal_t both[2] = {other, signal};
  hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_NE, HSA_SIGNAL_CONDITION_LT};
  hsa_signal_value_t values[2] = {0, 0}, met;
  HOLDS(hsa_amd_signal_wait_any(2, both, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED,
                                &met) == 1);
  HOLDS(met == -1);
  HOLDS(hsa_signal_wait_relaxed(other, HSA_SIGNAL_CONDITION_NE, 0, draw(w, 1000),
                                HSA_WAIT_STATE_ACTIVE) == 0);
  OK(hsa_signal_destroy(other));
  OK(hsa_signal_destroy(signal));
}

static bool count_calls(hsa_signal_value_t value, void *calls) {
  (void)value;
  hsa_signal_add_screlease(*(hsa_signal_t *)calls, 1);
  return false;
}

static void handlers(worker_t *w) {
  hsa_signal_t calls = new_signal(0), signal = new_signal(0);
  hsa_signal_value_t value = 1 + (hsa_signal_value_t)draw(w, 100);
  OK(hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_GTE, value, count_calls, &calls));
  hsa_signal_store_screlease(signal, value);
  await(calls, 1);
  OK(hsa_signal_destroy(signal));
  OK(hsa_signal_destroy(calls));
}

static void blocks(worker_t *w) {
  size_t size = 1 + draw(w, 5 * PAGE);
  hsa_amd_memory_pool_t pool = draw(w, 2) && gpu_count ? device_pool : host_pool;
  unsigned char *block;
  OK(hsa_amd_memory_pool_allocate(pool, size, 0, (void **)&block));
  if (pool.handle == host_pool.handle) {
    uint32_t word = (uint32_t)draw(w, UINT32_MAX);
    OK(hsa_amd_memory_fill(block, word, size / 4));
    HOLDS(size < 4 || !memcmp(block + (size / 4 - 1) * 4, &word, 4));
  }
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  OK(hsa_amd_pointer_info(block, &info, NULL, NULL, NULL));
  HOLDS(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentBaseAddress == block);
  OK(hsa_amd_memory_pool_free(block));
}

static void copies(worker_t *w) {
  size_t size = 1 + draw(w, 3 * PAGE);
  unsigned char *from, *to, byte = (unsigned char)draw(w, 256);
  hsa_agent_t agent = gpu_count ? gpus[draw(w, gpu_count)] : cpu;
  OK(hsa_amd_memory_pool_allocate(host_pool, size, 0, (void **)&from));
  OK(hsa_amd_memory_pool_allocate(host_pool, size, 0, (void **)&to));
  OK(hsa_amd_agents_allow_access(1, &agent, NULL, from));
  OK(hsa_amd_agents_allow_access(1, &agent, NULL, to));
  memset(from, byte, size);
  hsa_signal_t before = new_signal(1), done = new_signal(1);
  OK(hsa_amd_memory_async_copy(to, agent, from, cpu, size, 1, &before, done));
  hsa_signal_subtract_screlease(before, 1);
  await(done, 0);
  HOLDS(!memcmp(from, to, size));
  OK(hsa_signal_destroy(before));
  OK(hsa_signal_destroy(done));
  OK(hsa_amd_memory_pool_free(from));
  OK(hsa_amd_memory_pool_free(to));
}

static void mappings(worker_t *w) {
  size_t size = PAGE * (1 + draw(w, 4)), granule;
  OK(hsa_amd_memory_pool_get_info(host_pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE,
                                  &granule));
  size = (size + granule - 1) / granule * granule;
  unsigned char *range;
  hsa_amd_vmem_alloc_handle_t handle;
  hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW, cpu};
  OK(hsa_amd_vmem_address_reserve((void **)&range, size, 0, 0));
  OK(hsa_amd_vmem_handle_create(host_pool, size, MEMORY_TYPE_NONE, 0, &handle));
  OK(hsa_amd_vmem_map(range, size, 0, handle, 0));
  OK(hsa_amd_vmem_set_access(range, size, &access, 1));
  memset(range, (int)draw(w, 256), size);
  if (draw(w, 2)) {
    int buffer;
    hsa_amd_vmem_alloc_handle_t again;
    OK(hsa_amd_vmem_export_shareable_handle(&buffer, handle, 0));
    OK(hsa_amd_vmem_import_shareable_handle(buffer, &again));
    OK(hsa_amd_vmem_handle_release(again));
    HOLDS(close(buffer) == 0);
  }
  OK(hsa_amd_vmem_unmap(range, size));
  OK(hsa_amd_vmem_handle_release(handle));
  OK(hsa_amd_vmem_address_free(range, size));
}

static void queues(worker_t *w) {
  if (!gpu_count) return;
  hsa_queue_t *queue;
  hsa_agent_t agent = gpus[draw(w, gpu_count)];
  OK(hsa_queue_create(agent, 64, draw(w, 2) ? HSA_QUEUE_TYPE_MULTI : HSA_QUEUE_TYPE_SINGLE, NULL,
                      NULL, UINT32_MAX, UINT32_MAX, &queue));
  uint64_t packets = 1 + draw(w, 200);
  hsa_signal_t before = new_signal(1), left = new_signal((hsa_signal_value_t)packets);
  for (uint64_t i = 0; i < packets; i++) {
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    if (index == 32) hsa_signal_store_screlease(before, 0);
    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) usleep(50);
    hsa_barrier_and_packet_t *slot =
        (hsa_barrier_and_packet_t *)queue->base_address + index % queue->size;
    memset((char *)slot + 2, 0, sizeof *slot - 2);
    if (i == 0) slot->dep_signal[0] = before;
    slot->completion_signal = left;
    uint16_t header = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE |
                      (uint16_t)draw(w, 2) << HSA_PACKET_HEADER_BARRIER;
    __atomic_store_n(&slot->header, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
  }
  hsa_signal_store_screlease(before, 0);
  await(left, 0);
  OK(hsa_queue_destroy(queue));
  OK(hsa_signal_destroy(before));
  OK(hsa_signal_destroy(left));
}

static void locks(worker_t *w) {
  size_t size = 1 + draw(w, 2 * PAGE);
  void *memory = malloc(size), *seen;
  OK(hsa_amd_memory_lock(memory, size, NULL, 0, &seen));
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  OK(hsa_amd_pointer_info(seen, &info, NULL, NULL, NULL));
  HOLDS(info.type == HSA_EXT_POINTER_TYPE_LOCKED);
  OK(hsa_amd_memory_unlock(memory));
  free(memory);
}

static void code(worker_t *w) {
  if (!gpu_count) return;
  int file = open(code_path, O_RDONLY | O_CLOEXEC);
  HOLDS(file >= 0);
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  OK(hsa_code_object_reader_create_from_file(file, &reader));
  OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL,
                               &executable));
  OK(hsa_executable_load_agent_code_object(executable, gpus[0], reader, NULL, NULL));
  if (draw(w, 2)) {
    uint32_t wrong;
    OK(hsa_executable_freeze(executable, NULL));
    OK(hsa_executable_validate(executable, &wrong));
    HOLDS(wrong == 0);
  }
  OK(hsa_executable_destroy(executable));
  OK(hsa_code_object_reader_destroy(reader));
  close(file);
  unsigned char noise[256];
  for (size_t i = 0; i < sizeof noise; i++) noise[i] = (unsigned char)draw(w, 256);
  OK(hsa_code_object_reader_create_from_memory(noise, sizeof noise, &reader));
  OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL,
                               &executable));
  EXPECT(HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
         hsa_executable_load_agent_code_object(executable, gpus[0], reader, NULL, NULL));
  OK(hsa_executable_destroy(executable));
  OK(hsa_code_object_reader_destroy(reader));
}

static void wrong_calls(worker_t *w) {
  hsa_signal_t none = {0};
  void *block;
  EXPECT(HSA_STATUS_ERROR_INVALID_ARGUMENT, hsa_signal_destroy(none));
  EXPECT(HSA_STATUS_ERROR_INVALID_ARGUMENT,
         hsa_amd_memory_pool_allocate(host_pool, 0, 0, &block));
  size_t size = 1 + draw(w, 100);
  EXPECT(HSA_STATUS_ERROR_INVALID_ARGUMENT, hsa_amd_memory_pool_allocate(host_pool, size, 0, NULL));
  OK(hsa_init());
  OK(hsa_shut_down());
}

/* One thread of each process: a signal that the other process waits for, in turns. */
static void across(worker_t *w) {
  hsa_signal_t mine, theirs;
  hsa_amd_ipc_signal_t name;
  OK(hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &mine));
  OK(hsa_amd_ipc_signal_create(mine, &name));
  HOLDS(write(peer, &name, sizeof name) == sizeof name);
  HOLDS(read(peer, &name, sizeof name) == sizeof name);
  OK(hsa_amd_ipc_signal_attach(&name, &theirs));
  usleep((useconds_t)draw(w, 500));
  hsa_signal_store_screlease(theirs, 0);
  await(mine, 0);
  /* The other process is done with ours before it goes. */
  char gone = 0;
  OK(hsa_signal_destroy(theirs));
  HOLDS(write(peer, &gone, 1) == 1);
  HOLDS(read(peer, &gone, 1) == 1);
  OK(hsa_signal_destroy(mine));
}

static void (*const steps[])(worker_t *) = {signals, handlers, blocks, copies,     mappings,
                                            queues,  locks,    code,   wrong_calls};

static void *work(void *argument) {
  worker_t *w = argument;
  for (int i = 0; i < STEPS; i++) {
    if (w->number == 0 && i % 4 == 0)
      across(w);
    else
      steps[draw(w, sizeof steps / sizeof *steps)](w);
  }
  return NULL;
}

static hsa_status_t keep_agent(hsa_agent_t agent, void *unused) {
  (void)unused;
  hsa_device_type_t type;
  OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_CPU)
    cpu = agent;
  else if (type == HSA_DEVICE_TYPE_GPU && gpu_count < 8)
    gpus[gpu_count++] = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t keep_pool(hsa_amd_memory_pool_t pool, void *kept) {
  bool allocatable;
  hsa_amd_segment_t segment;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
                                  &allocatable));
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  if (!allocatable || segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)kept = pool;
  return HSA_STATUS_INFO_BREAK;
}

static void round_of(uint64_t seed) {
  pthread_t threads[THREADS];
  worker_t workers[THREADS];
  OK(hsa_init());
  gpu_count = 0;
  OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &ticks_of_a_second));
  OK(hsa_iterate_agents(keep_agent, NULL));
  EXPECT(HSA_STATUS_INFO_BREAK, hsa_amd_agent_iterate_memory_pools(cpu, keep_pool, &host_pool));
  if (gpu_count)
    EXPECT(HSA_STATUS_INFO_BREAK,
           hsa_amd_agent_iterate_memory_pools(gpus[0], keep_pool, &device_pool));
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker_t){(seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xd1342543de82ef95u, i};
    HOLDS(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) HOLDS(pthread_join(threads[i], NULL) == 0);
  OK(hsa_shut_down());
  EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_iterate_agents(keep_agent, NULL));
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  peer = atoi(arguments[1]);
  time_t end = time(NULL) + atoi(arguments[2]);
  uint64_t seed = strtoull(arguments[3], NULL, 10);
  code_path = arguments[4];
  /* Both processes make as many rounds: the first says whether there is another. */
  for (uint64_t round = 1;; round++) {
    char mine = time(NULL) < end, theirs;
    HOLDS(write(peer, &mine, 1) == 1);
    HOLDS(read(peer, &theirs, 1) == 1);
    if (!mine || !theirs) return 0;
    round_of(seed + round);
    printf("round %llu\n", (unsigned long long)round);
    fflush(stdout);
  }
}
