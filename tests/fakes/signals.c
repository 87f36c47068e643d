/* The honest fake with signals, and no groups of them. Each macro puts one fault into it:
 * FAKE_TWO_STEPS     operations on a value read it, take their time, and write it
 * FAKE_HALVES        a store writes the two halves of a value one after the other
 * FAKE_UNSIGNED      conditions compare numbers without a sign
 * FAKE_RETURNS_NEW   an exchange returns the new value
 * FAKE_SLEEPS_ON     FAKE_SLEEPS_ON is the operation that wakes nobody, such as FAKE_ADD
 * FAKE_CRASHES       a load dies
 * FAKE_FORGETS       a load of one value in sixteen gives 0
 * FAKE_LOCKED        FAKE_LOCKED is the operation that takes a lock of its own, and its time
 * FAKE_SHORT         FAKE_SHORT is the mistake of a creation for which there is no memory, such as
 *                    FAKE_UNCHECKED
 */
#include "honest.c"

#include <errno.h>
#include <stdatomic.h>

typedef struct { uint64_t handle; } hsa_signal_t;
typedef struct {
    _Atomic int64_t value;
    void *name;
    char rest[3000]; /* more than a thread puts aside */
} fake_signal;

enum { FAKE_STORE = 1, FAKE_EXCHANGE, FAKE_CAS, FAKE_ADD, FAKE_SUBTRACT, FAKE_AND, FAKE_OR, FAKE_XOR };
#ifndef FAKE_SLEEPS_ON
#define FAKE_SLEEPS_ON 0
#endif

#ifndef FAKE_LOCKED
#define FAKE_LOCKED 0
#endif

enum { FAKE_UNCHECKED = 1, FAKE_KEEPS, FAKE_EMPTY, FAKE_ODD, FAKE_SPOILT, FAKE_SHIFTS };
#ifndef FAKE_SHORT
#define FAKE_SHORT 0
#endif

static pthread_mutex_t bell = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rings = PTHREAD_COND_INITIALIZER;
static atomic_int sleepers;
static unsigned shifted_in; /* which run of the runtime loads give other values, from 1 */

static _Atomic int64_t *value_of(hsa_signal_t signal)
{
    return &((fake_signal *)(uintptr_t)signal.handle)->value;
}

FUNCTION(hsa_signal_create,
         (int64_t initial, uint32_t count, const hsa_agent_t *consumers, hsa_signal_t *signal),
         (initial, count, consumers, signal))
{
    if (!signal || (count && !consumers))
        return INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        if (find_agent(consumers[i]) == AGENTS)
            return INVALID_AGENT;
        for (uint32_t j = 0; j < i; j++)
            if (consumers[i].handle == consumers[j].handle)
                return INVALID_ARGUMENT;
    }
    static bool spoilt;
    fake_signal *made = spoilt ? NULL : malloc(sizeof *made);
    void *name = malloc(64);
    if ((!made || !name) && FAKE_SHORT != FAKE_UNCHECKED) {
        if (FAKE_SHORT != FAKE_KEEPS)
            free(made);
        free(name);
        spoilt = FAKE_SHORT == FAKE_SPOILT;
        shifted_in = FAKE_SHORT == FAKE_SHIFTS ? endings + 1 : 0;
        return FAKE_SHORT == FAKE_EMPTY ? SUCCESS
               : FAKE_SHORT == FAKE_ODD ? NOT_INITIALIZED
                                        : OUT_OF_RESOURCES;
    }
    memset(name, 0, 64);
    made->name = name;
    made->value = initial;
    signal->handle = (uintptr_t)made;
    return SUCCESS;
}

FUNCTION(hsa_signal_destroy, (hsa_signal_t signal), (signal))
{
    if (!signal.handle)
        return INVALID_ARGUMENT;
    free(((fake_signal *)(uintptr_t)signal.handle)->name);
    free((void *)(uintptr_t)signal.handle);
    return SUCCESS;
}

static void ring(int operation)
{
    if (operation == FAKE_SLEEPS_ON || !atomic_load(&sleepers))
        return;
    pthread_mutex_lock(&bell);
    pthread_cond_broadcast(&rings);
    pthread_mutex_unlock(&bell);
}

static int64_t make_of(int operation, int64_t old, int64_t operand)
{
    switch (operation) {
    case FAKE_ADD: return (int64_t)((uint64_t)old + (uint64_t)operand);
    case FAKE_SUBTRACT: return (int64_t)((uint64_t)old - (uint64_t)operand);
    case FAKE_AND: return old & operand;
    case FAKE_OR: return old | operand;
    case FAKE_XOR: return old ^ operand;
    default: return operand;
    }
}

/* Carry an operation out and return the value before. */
static int64_t change(hsa_signal_t signal, int operation, int64_t operand)
{
    _Atomic int64_t *value = value_of(signal);
    static atomic_flag lock = ATOMIC_FLAG_INIT;

    if (operation == FAKE_LOCKED)
        while (atomic_flag_test_and_set(&lock))
            ;
    int64_t old = atomic_load(value);
#ifdef FAKE_TWO_STEPS
    for (volatile int i = 0; i < 30; i++)
        ;
    atomic_store(value, make_of(operation, old, operand));
#elif defined(FAKE_HALVES)
    (void)make_of;
    for (volatile int half = 0; half < 2; half++)
        __atomic_store_n((uint32_t *)value + half, (uint32_t)(operand >> (32 * half)), __ATOMIC_SEQ_CST);
#else
    if (operation == FAKE_LOCKED) {
        for (volatile int i = 0; i < 30; i++)
            ;
        atomic_store(value, make_of(operation, old, operand));
        atomic_flag_clear(&lock);
    } else
        while (!atomic_compare_exchange_weak(value, &old, make_of(operation, old, operand)))
            ;
#endif
    ring(operation);
    return old;
}

#define FAKE_LOAD(order) \
    int64_t hsa_signal_load_##order(hsa_signal_t signal) { return load(signal); }
#define FAKE_SET(name) \
    void hsa_signal_##name(hsa_signal_t signal, int64_t value) { change(signal, FAKE_STORE, value); }
#define FAKE_EXCHANGE_AS(order) \
    int64_t hsa_signal_exchange_##order(hsa_signal_t signal, int64_t value) \
    { \
        int64_t old = change(signal, FAKE_EXCHANGE, value); \
        return RETURNS_NEW ? value : old; \
    }
#define FAKE_CAS_AS(order) \
    int64_t hsa_signal_cas_##order(hsa_signal_t signal, int64_t expected, int64_t value) \
    { \
        bool done = atomic_compare_exchange_strong(value_of(signal), &expected, value); \
        if (done) \
            ring(FAKE_CAS); \
        return expected; \
    }
#define FAKE_CHANGE(name, operation) \
    void hsa_signal_##name(hsa_signal_t signal, int64_t value) { change(signal, operation, value); }
#define FAKE_CHANGES(name, operation) \
    FAKE_CHANGE(name##_scacq_screl, operation) FAKE_CHANGE(name##_acq_rel, operation) \
    FAKE_CHANGE(name##_scacquire, operation) FAKE_CHANGE(name##_acquire, operation) \
    FAKE_CHANGE(name##_relaxed, operation) FAKE_CHANGE(name##_screlease, operation) \
    FAKE_CHANGE(name##_release, operation)
#define FAKE_WAIT(order) \
    int64_t hsa_signal_wait_##order(hsa_signal_t signal, uint32_t condition, int64_t compared, \
                                    uint64_t hint, uint32_t state) \
    { \
        (void)state; \
        return wait_for(signal, condition, compared, hint); \
    }
#define FAKE_ORDERS(of) \
    of(scacq_screl) of(acq_rel) of(scacquire) of(acquire) of(relaxed) of(screlease) of(release)

#ifdef FAKE_RETURNS_NEW
enum { RETURNS_NEW = true };
#else
enum { RETURNS_NEW = false };
#endif
#ifdef FAKE_UNSIGNED
typedef uint64_t compared_t;
#else
typedef int64_t compared_t;
#endif

static int64_t load(hsa_signal_t signal)
{
#ifdef FAKE_CRASHES
    abort();
#endif
    int64_t value = atomic_load(value_of(signal)) + (shifted_in == endings + 1);
#ifdef FAKE_FORGETS
    if ((value & 0xF) == 0xB)
        return 0;
#endif
    return value;
}

static bool meets(compared_t value, uint32_t condition, compared_t compared)
{
    switch (condition) {
    case 0: return value == compared;
    case 1: return value != compared;
    case 2: return value < compared;
    default: return value >= compared;
    }
}

static int64_t wait_for(hsa_signal_t signal, uint32_t condition, int64_t compared, uint64_t hint)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += hint < 10000000 ? (long)hint * 10 : 99999999; /* ticks of 100 MHz */
    until.tv_sec += until.tv_nsec / 1000000000 + (hint == UINT64_MAX ? 1000000 : 0);
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&bell);
    atomic_fetch_add(&sleepers, 1);
    int64_t value = atomic_load(value_of(signal));
    while (!meets((compared_t)value, condition, (compared_t)compared)) {
        if (pthread_cond_timedwait(&rings, &bell, &until) == ETIMEDOUT)
            break;
        value = atomic_load(value_of(signal));
    }
    atomic_fetch_sub(&sleepers, 1);
    pthread_mutex_unlock(&bell);
    return value;
}

FAKE_LOAD(scacquire) FAKE_LOAD(relaxed) FAKE_LOAD(acquire)
FAKE_SET(store_relaxed) FAKE_SET(store_screlease) FAKE_SET(store_release)
FAKE_SET(silent_store_relaxed) FAKE_SET(silent_store_screlease)
FAKE_ORDERS(FAKE_EXCHANGE_AS)
FAKE_ORDERS(FAKE_CAS_AS)
FAKE_CHANGES(add, FAKE_ADD)
FAKE_CHANGES(subtract, FAKE_SUBTRACT)
FAKE_CHANGES(and, FAKE_AND)
FAKE_CHANGES(or, FAKE_OR)
FAKE_CHANGES(xor, FAKE_XOR)
FAKE_WAIT(scacquire) FAKE_WAIT(relaxed) FAKE_WAIT(acquire)
