/* Handlers that call, and handlers that are registered beside each other. */
#include "program.h"

static hsa_signal_t other;
static void *block;
static atomic_int handled;

static bool seen(int handlers)
{
    for (int i = 0; i < SECONDS * 100 && handled < handlers; i++)
        usleep(10000);
    return handled >= handlers;
}

static bool count(hsa_signal_value_t value, void *arg)
{
    (void)value, (void)arg;
    handled++;
    return false;
}

static bool create_signal(hsa_signal_value_t value, void *arg)
{
    signal_of(1);
    return count(value, arg);
}

static bool destroy_signal(hsa_signal_value_t value, void *arg)
{
    CALL(hsa_signal_destroy)(other);
    return count(value, arg);
}

static bool free_block(hsa_signal_value_t value, void *arg)
{
    CALL(hsa_amd_memory_pool_free)(block);
    return count(value, arg);
}

static bool register_handler(hsa_signal_value_t value, void *arg)
{
    CALL(hsa_amd_signal_async_handler)(other, HSA_SIGNAL_CONDITION_EQ, 0, count, NULL);
    return count(value, arg);
}

static hsa_status_t find_pool(hsa_amd_memory_pool_t pool, void *data)
{
    bool allocatable = false;
    CALL(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
                                       &allocatable);
    if (allocatable)
        *(hsa_amd_memory_pool_t *)data = pool;
    return HSA_STATUS_SUCCESS;
}

int in_handler(const char *what)
{
    hsa_amd_memory_pool_t pool = {0};
    REQUIRE(CALL(hsa_amd_agent_iterate_memory_pools)(gpu, find_pool, &pool));
    REQUIRE(CALL(hsa_amd_memory_pool_allocate)(pool, 4096, 0, &block));
    bool (*handler)(hsa_signal_value_t, void *) =
        strcmp(what, "hsa_signal_create") == 0          ? create_signal
        : strcmp(what, "hsa_signal_destroy") == 0       ? destroy_signal
        : strcmp(what, "hsa_amd_memory_pool_free") == 0 ? free_block
                                                        : register_handler;
    hsa_signal_t signal = signal_of(1);
    other = signal_of(1);
    REQUIRE(CALL(hsa_amd_signal_async_handler)(signal, HSA_SIGNAL_CONDITION_EQ, 0, handler, NULL));
    CALL(hsa_signal_store_screlease)(signal, 0);
    return !seen(1);
}

static pthread_barrier_t barrier;

static void *register_one(void *signal)
{
    pthread_barrier_wait(&barrier);
    REQUIRE(CALL(hsa_amd_signal_async_handler)(*(hsa_signal_t *)signal, HSA_SIGNAL_CONDITION_EQ, 0,
                                               count, NULL));
    return NULL;
}

int beside(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    for (int round = 0; round < 50; round++) {
        hsa_signal_t signals[2] = {signal_of(1), signal_of(1)};
        pthread_t threads[2];
        handled = 0;
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, register_one, &signals[i]);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 2; i++)
            CALL(hsa_signal_store_screlease)(signals[i], 0);
        if (!seen(2))
            return 1;
    }
    return 0;
}
