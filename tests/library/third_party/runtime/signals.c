/* Signals: values that change under the lock, and whoever waits for a value.
 *
 * A waiter is told of the first change that satisfies it, so that a value which is there for a
 * moment only still ends the wait. Every operation orders memory as the lock does, which is at
 * least what its name asks for.
 */
#include <stdlib.h>
#include <time.h>

#include "internal.h"

bool always(hsa_signal_value_t value, hsa_signal_value_t compare)
{
    (void)value;
    (void)compare;
    return true;
}

bool equal(hsa_signal_value_t value, hsa_signal_value_t compare)
{
    return value == compare;
}

static bool not_equal(hsa_signal_value_t value, hsa_signal_value_t compare)
{
    return value != compare;
}

static bool less(hsa_signal_value_t value, hsa_signal_value_t compare)
{
    return value < compare;
}

static bool not_less(hsa_signal_value_t value, hsa_signal_value_t compare)
{
    return value >= compare;
}

void new_condition(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

struct signal *find_signal(hsa_signal_t signal)
{
    return (struct signal *)find_object(SIGNAL, (uintptr_t)signal.handle);
}

hsa_signal_t signal_handle(const struct signal *signal)
{
    return (hsa_signal_t){(uintptr_t)signal};
}

/* Return NULL if there is no memory. The lock is held. */
struct signal *new_signal(hsa_signal_value_t value, bool doorbell)
{
    struct signal *signal = calloc(1, sizeof *signal);
    if (signal) {
        signal->value = value;
        signal->doorbell = doorbell;
        add_object(&signal->object, SIGNAL, (uintptr_t)signal);
    }
    return signal;
}

static void meet(struct waiter *waiter, hsa_signal_value_t value)
{
    waiter->met = true;
    waiter->observed = value;
    pthread_cond_signal(waiter->wake);
}

/* Whoever still waits goes on. The lock is held. */
void free_signal(struct signal *signal)
{
    while (signal->waiters) {
        struct waiter *waiter = signal->waiters;
        unwatch(waiter);
        meet(waiter, signal->value);
    }
    remove_object(&signal->object);
    free(signal);
}

void reset_signals(void)
{
    struct object *object;
    pthread_mutex_lock(&runtime_lock);
    while ((object = any_object(SIGNAL)))
        free_signal((struct signal *)object);
    pthread_mutex_unlock(&runtime_lock);
}

/* Change a value. The lock is held. */
void set_signal(struct signal *signal, hsa_signal_value_t value)
{
    signal->value = value;
    for (struct waiter *waiter = signal->waiters; waiter; waiter = waiter->next)
        if (!waiter->met && waiter->satisfied(value, waiter->compare))
            meet(waiter, value);
}

/* List a waiter, which is met at once if the value satisfies it. The lock is held. */
void watch(struct signal *signal, struct waiter *waiter)
{
    waiter->met = false;
    waiter->signal = signal;
    waiter->next = signal->waiters;
    signal->waiters = waiter;
    if (waiter->satisfied(signal->value, waiter->compare))
        meet(waiter, signal->value);
}

/* The lock is held. */
void unwatch(struct waiter *waiter)
{
    if (!waiter->signal)
        return;
    struct waiter **link = &waiter->signal->waiters;
    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
    waiter->signal = NULL;
}

hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                               const hsa_agent_t *consumers, hsa_signal_t *signal)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!signal || (num_consumers > 0 && !consumers))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < num_consumers; i++) {
        const struct agent *agent = find_agent(consumers[i]);
        if (!agent)
            return HSA_STATUS_ERROR_INVALID_AGENT;
        if (seen >> agent_index(agent) & 1)
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        seen |= 1u << agent_index(agent);
    }
    pthread_mutex_lock(&runtime_lock);
    struct signal *created = new_signal(initial_value, false);
    pthread_mutex_unlock(&runtime_lock);
    if (!created)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *signal = signal_handle(created);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (signal.handle == 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&runtime_lock);
    struct signal *found = find_signal(signal);
    bool valid = found && !found->doorbell;
    if (valid)
        free_signal(found);
    pthread_mutex_unlock(&runtime_lock);
    return valid ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SIGNAL;
}

enum operation { LOAD, STORE, CAS, ADD, SUBTRACT, AND, OR, XOR };

/* Change a value as the operation says, and return the one before. No signal has the value 0. */
static hsa_signal_value_t operate(hsa_signal_t handle, enum operation operation,
                                  hsa_signal_value_t operand, hsa_signal_value_t expected)
{
    hsa_signal_value_t before = 0;
    pthread_mutex_lock(&runtime_lock);
    struct signal *signal = find_signal(handle);
    if (signal) {
        before = signal->value;
        uintptr_t value = (uintptr_t)before; /* wraps, where a signed one may not */
        switch (operation) {
        case LOAD:
            break;
        case STORE:
            set_signal(signal, operand);
            break;
        case CAS:
            if (before == expected)
                set_signal(signal, operand);
            break;
        case ADD:
            set_signal(signal, (hsa_signal_value_t)(value + (uintptr_t)operand));
            break;
        case SUBTRACT:
            set_signal(signal, (hsa_signal_value_t)(value - (uintptr_t)operand));
            break;
        case AND:
            set_signal(signal, before & operand);
            break;
        case OR:
            set_signal(signal, before | operand);
            break;
        case XOR:
            set_signal(signal, before ^ operand);
            break;
        }
    }
    pthread_mutex_unlock(&runtime_lock);
    return before;
}

static hsa_signal_value_t wait_for(hsa_signal_t handle, hsa_signal_condition_t condition,
                                   hsa_signal_value_t compare, uint64_t timeout)
{
    static bool (*const CONDITIONS[])(hsa_signal_value_t, hsa_signal_value_t) = {
        [HSA_SIGNAL_CONDITION_EQ] = equal,
        [HSA_SIGNAL_CONDITION_NE] = not_equal,
        [HSA_SIGNAL_CONDITION_LT] = less,
        [HSA_SIGNAL_CONDITION_GTE] = not_less,
    };
    if ((unsigned)condition >= sizeof CONDITIONS / sizeof *CONDITIONS)
        return operate(handle, LOAD, 0, 0);

    uint64_t now = timestamp();
    bool forever = timeout > INT64_MAX - now;
    uint64_t end = now + timeout;
    const struct timespec deadline = {
        .tv_sec = (time_t)(end / TICKS_PER_SECOND),
        .tv_nsec = (long)(end % TICKS_PER_SECOND * (1000000000u / TICKS_PER_SECOND)),
    };
    hsa_signal_value_t value = 0;
    pthread_cond_t wake;
    new_condition(&wake);
    struct waiter waiter = {
        .satisfied = CONDITIONS[condition], .compare = compare, .wake = &wake};
    pthread_mutex_lock(&runtime_lock);
    struct signal *signal = find_signal(handle);
    if (signal) {
        watch(signal, &waiter);
        int error = 0;
        while (!waiter.met && !error)
            error = forever ? pthread_cond_wait(&wake, &runtime_lock)
                            : pthread_cond_timedwait(&wake, &runtime_lock, &deadline);
        value = waiter.met ? waiter.observed : signal->value;
        unwatch(&waiter);
    }
    pthread_mutex_unlock(&runtime_lock);
    pthread_cond_destroy(&wake);
    return value;
}

#define DEFINE_LOAD(order) \
    HSA_SIGNAL_LOAD(order) { return operate(signal, LOAD, 0, 0); }
#define DEFINE_STORE(order) \
    HSA_SIGNAL_STORE(order) { operate(signal, STORE, value, 0); }
#define DEFINE_EXCHANGE(order) \
    HSA_SIGNAL_EXCHANGE(order) { return operate(signal, STORE, value, 0); }
#define DEFINE_CAS(order) \
    HSA_SIGNAL_CAS(order) { return operate(signal, CAS, value, expected); }
#define DEFINE_UPDATE(name, order, operation) \
    HSA_SIGNAL_UPDATE(name, order) { operate(signal, operation, value, 0); }
#define DEFINE_WAIT(order) \
    HSA_SIGNAL_WAIT(order) \
    { \
        (void)wait_state_hint; \
        return wait_for(signal, condition, compare_value, timeout_hint); \
    }

DEFINE_LOAD(acquire)
DEFINE_LOAD(relaxed)
DEFINE_STORE(relaxed)
DEFINE_STORE(release)
DEFINE_EXCHANGE(acq_rel)
DEFINE_EXCHANGE(acquire)
DEFINE_EXCHANGE(relaxed)
DEFINE_EXCHANGE(release)
DEFINE_CAS(acq_rel)
DEFINE_CAS(acquire)
DEFINE_CAS(relaxed)
DEFINE_CAS(release)
DEFINE_UPDATE(add, acq_rel, ADD)
DEFINE_UPDATE(add, acquire, ADD)
DEFINE_UPDATE(add, relaxed, ADD)
DEFINE_UPDATE(add, release, ADD)
DEFINE_UPDATE(subtract, acq_rel, SUBTRACT)
DEFINE_UPDATE(subtract, acquire, SUBTRACT)
DEFINE_UPDATE(subtract, relaxed, SUBTRACT)
DEFINE_UPDATE(subtract, release, SUBTRACT)
DEFINE_UPDATE(and, acq_rel, AND)
DEFINE_UPDATE(and, acquire, AND)
DEFINE_UPDATE(and, relaxed, AND)
DEFINE_UPDATE(and, release, AND)
DEFINE_UPDATE(or, acq_rel, OR)
DEFINE_UPDATE(or, acquire, OR)
DEFINE_UPDATE(or, relaxed, OR)
DEFINE_UPDATE(or, release, OR)
DEFINE_UPDATE(xor, acq_rel, XOR)
DEFINE_UPDATE(xor, acquire, XOR)
DEFINE_UPDATE(xor, relaxed, XOR)
DEFINE_UPDATE(xor, release, XOR)
DEFINE_WAIT(acquire)
DEFINE_WAIT(relaxed)
