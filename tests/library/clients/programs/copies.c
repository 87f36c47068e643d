/* Copy host -> GPU -> host -> host, each copy waiting for the one before it.
 *
 * All copies are asked for before the first may start; one signal lets the whole chain go.
 */
#include "client.h"

enum { SIZE = 1 << 20, STEPS = 3 };

static void *block(hsa_amd_memory_pool_t pool)
{
    void *memory;

    DO(hsa_amd_memory_pool_allocate(pool, SIZE, 0, &memory));
    return memory;
}

/* Return memory of the host that a GPU may access. */
static void *host_block(hsa_amd_memory_pool_t pool, hsa_agent_t gpu)
{
    void *memory = block(pool);

    DO(hsa_amd_agents_allow_access(1, &gpu, NULL, memory));
    return memory;
}

static unsigned wrong_bytes(const unsigned char *memory, unsigned seed)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < SIZE; i++)
        wrong += memory[i] != (unsigned char)(i + seed);
    return wrong;
}

int main(void)
{
    hsa_agent_t cpu, gpu;
    hsa_amd_memory_pool_t host_pool, gpu_pool;
    unsigned char *from, *between, *to, *own;
    void *steps[STEPS + 1];
    hsa_agent_t agents[STEPS + 1];
    hsa_signal_t gate, done[STEPS];

    DO(hsa_init());
    cpu = first_agent(HSA_DEVICE_TYPE_CPU);
    gpu = first_agent(HSA_DEVICE_TYPE_GPU);
    host_pool = first_pool(cpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    gpu_pool = first_pool(gpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);

    from = host_block(host_pool, gpu);
    between = host_block(host_pool, gpu);
    to = host_block(host_pool, gpu);
    for (size_t i = 0; i < SIZE; i++)
        from[i] = (unsigned char)(i + 1);
    memset(to, 0, SIZE);

    steps[0] = from;
    steps[1] = block(gpu_pool);
    steps[2] = between;
    steps[3] = to;
    for (int i = 0; i <= STEPS; i++)
        agents[i] = i == 1 ? gpu : cpu;

    gate = new_signal(1);
    for (int i = 0; i < STEPS; i++) {
        done[i] = new_signal(1);
        DO(hsa_amd_memory_async_copy(steps[i + 1], agents[i + 1], steps[i], agents[i], SIZE, 1,
                                     i == 0 ? &gate : &done[i - 1], done[i]));
    }
    printf("before the gate opens: ");
    for (int i = 0; i < STEPS; i++)
        printf("%s%" PRId64, i ? ", " : "", (int64_t)hsa_signal_load_scacquire(done[i]));
    printf("\n");

    /* The copies read what is there when they start, not when they were asked for. */
    for (size_t i = 0; i < SIZE; i++)
        from[i] = (unsigned char)(i + 2);
    hsa_signal_store_screlease(gate, 0);
    wait_for(done[STEPS - 1], 0);
    printf("after it: ");
    for (int i = 0; i < STEPS; i++)
        printf("%s%" PRId64, i ? ", " : "", (int64_t)hsa_signal_load_scacquire(done[i]));
    printf("\nwrong bytes: %u\n", wrong_bytes(to, 2));

    /* One copy may wait for several signals. */
    hsa_signal_t both[2] = {new_signal(1), new_signal(1)}, last = new_signal(1);
    memset(to, 0, SIZE);
    DO(hsa_amd_memory_async_copy(to, cpu, steps[1], gpu, SIZE, 2, both, last));
    hsa_signal_store_screlease(both[1], 0);
    printf("one of two signals: %" PRId64 "\n",
           (int64_t)hsa_signal_wait_scacquire(last, HSA_SIGNAL_CONDITION_EQ, 0, 10000,
                                              HSA_WAIT_STATE_BLOCKED));
    hsa_signal_store_screlease(both[0], 0);
    wait_for(last, 0);
    printf("both of them: 0, wrong bytes: %u\n", wrong_bytes(to, 2));

    /* A fill writes words, and needs neither agent nor signal. */
    own = block(host_pool);
    DO(hsa_amd_memory_fill(own, 0x01020304, SIZE / 4));
    printf("filled with: %02x %02x %02x %02x\n", own[0], own[1], own[2], own[3]);

    DO(hsa_amd_memory_pool_free(own));
    for (int i = 0; i <= STEPS; i++)
        DO(hsa_amd_memory_pool_free(steps[i]));
    for (int i = 0; i < STEPS; i++)
        DO(hsa_signal_destroy(done[i]));
    DO(hsa_signal_destroy(gate));
    DO(hsa_signal_destroy(both[0]));
    DO(hsa_signal_destroy(both[1]));
    DO(hsa_signal_destroy(last));
    DO(hsa_shut_down());
    return 0;
}
