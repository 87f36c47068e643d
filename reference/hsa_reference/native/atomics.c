/* Atomic operations on memory that several threads and processes share, and waits for signals.

   Python reaches these functions through ctypes; the C library has the text of this file in it, with
   API defined as `static inline`. Addresses and handles are 64-bit integers. A memory order is one of the
   compiler's __ATOMIC_ constants, of those that its operation allows; for any other, and for
   __ATOMIC_SEQ_CST, it is sequentially consistent.

   A signal is what its handle is the address of: 64 bytes, aligned to 64, laid out as amd_signal_t.
   Its two last words, which are reserved there, are what waits need; whoever creates a signal in
   memory that held one before leaves them as they are.

   A thread is outside while it sleeps, and while the application's code runs in it: there the thread may
   be cancelled, and a handler of a POSIX signal may call whatever it likes. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef API
#define API __attribute__((visibility("default")))
#endif

/* ---- Outside ---- */

/* What the C library does about a thread; there is nothing to do in a process without it. */
struct border {
    void (*begin)(void);    /* a thread of the runtime starts, inside */
    int (*leave)(void);     /* a thread goes outside; the answer is for `come_back` */
    void (*come_back)(int);
    void (*abandon)(void);  /* it ends outside, and never comes back */
};

static const struct border *border __attribute__((unused)); /* in the C library's text */

API void guard(uint64_t border_at)
{
    border = (const struct border *)(uintptr_t)border_at;
}

API void thread_begins(void)
{
    if (border)
        border->begin();
}

/* Block all signals in this thread, and keep at an address which were blocked before. Python's own
   module for this installs a handler of SIGINT when it is imported. */
API void block_signals(uint64_t before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, (sigset_t *)(uintptr_t)before);
}

API void restore_signals(uint64_t before)
{
    pthread_sigmask(SIG_SETMASK, (const sigset_t *)(uintptr_t)before, NULL);
}

static inline int go_outside(void)
{
    return border ? border->leave() : 0;
}

static inline void come_inside(int left)
{
    if (border)
        border->come_back(left);
}

static void end_outside(void *unused)
{
    (void)unused;
    if (border)
        border->abandon();
}

/* Call a function of the application, which has at most six arguments, all of them integers or
   pointers. What is passed in place of arguments that it does not have does no harm. */
API uint64_t call_application(uint64_t function, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                              uint64_t e, uint64_t f)
{
    uint64_t (*called)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t) =
        (__typeof__(called))(uintptr_t)function;
    uint64_t answer;
    pthread_cleanup_push(end_outside, NULL);
    int left = go_outside();
    answer = called(a, b, c, d, e, f);
    come_inside(left);
    pthread_cleanup_pop(false);
    return answer;
}

/* ---- Operations: each returns what was there before, except for store ---- */

#define LOAD(bits)                                                                               \
    API uint##bits##_t load_##bits(uint64_t address, int order)                                  \
    {                                                                                            \
        const uint##bits##_t *at = (const uint##bits##_t *)(uintptr_t)address;                   \
        switch (order) {                                                                         \
        case __ATOMIC_RELAXED: return __atomic_load_n(at, __ATOMIC_RELAXED);                     \
        case __ATOMIC_ACQUIRE: return __atomic_load_n(at, __ATOMIC_ACQUIRE);                     \
        default: return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                   \
        }                                                                                        \
    }

#define STORE(bits)                                                                              \
    API void store_##bits(uint64_t address, uint##bits##_t value, int order)                     \
    {                                                                                            \
        uint##bits##_t *at = (uint##bits##_t *)(uintptr_t)address;                               \
        switch (order) {                                                                         \
        case __ATOMIC_RELAXED: __atomic_store_n(at, value, __ATOMIC_RELAXED); break;             \
        case __ATOMIC_RELEASE: __atomic_store_n(at, value, __ATOMIC_RELEASE); break;             \
        default: __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                  \
        }                                                                                        \
    }

#define MODIFY(name, bits, builtin)                                                              \
    API uint##bits##_t name##_##bits(uint64_t address, uint##bits##_t value, int order)          \
    {                                                                                            \
        uint##bits##_t *at = (uint##bits##_t *)(uintptr_t)address;                               \
        switch (order) {                                                                         \
        case __ATOMIC_RELAXED: return builtin(at, value, __ATOMIC_RELAXED);                      \
        case __ATOMIC_ACQUIRE: return builtin(at, value, __ATOMIC_ACQUIRE);                      \
        case __ATOMIC_RELEASE: return builtin(at, value, __ATOMIC_RELEASE);                      \
        case __ATOMIC_ACQ_REL: return builtin(at, value, __ATOMIC_ACQ_REL);                      \
        default: return builtin(at, value, __ATOMIC_SEQ_CST);                                    \
        }                                                                                        \
    }

#define SWAP(at, expected, value, order, otherwise)                                              \
    __atomic_compare_exchange_n(at, &expected, value, false, order, otherwise)

#define COMPARE_EXCHANGE(bits)                                                                   \
    API uint##bits##_t cas_##bits(uint64_t address, uint##bits##_t expected,                     \
                                  uint##bits##_t value, int order)                               \
    {                                                                                            \
        uint##bits##_t *at = (uint##bits##_t *)(uintptr_t)address;                               \
        switch (order) {                                                                         \
        case __ATOMIC_RELAXED:                                                                   \
            SWAP(at, expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                       \
            break;                                                                               \
        case __ATOMIC_ACQUIRE:                                                                   \
            SWAP(at, expected, value, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);                       \
            break;                                                                               \
        case __ATOMIC_RELEASE:                                                                   \
            SWAP(at, expected, value, __ATOMIC_RELEASE, __ATOMIC_RELAXED);                       \
            break;                                                                               \
        case __ATOMIC_ACQ_REL:                                                                   \
            SWAP(at, expected, value, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                       \
            break;                                                                               \
        default: SWAP(at, expected, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
        }                                                                                        \
        return expected;                                                                         \
    }

#define OPERATIONS(bits)                                                                         \
    LOAD(bits)                                                                                   \
    STORE(bits)                                                                                  \
    COMPARE_EXCHANGE(bits)                                                                       \
    MODIFY(exchange, bits, __atomic_exchange_n)                                                  \
    MODIFY(add, bits, __atomic_fetch_add)                                                        \
    MODIFY(subtract, bits, __atomic_fetch_sub)                                                   \
    MODIFY(and, bits, __atomic_fetch_and)                                                        \
    MODIFY(or, bits, __atomic_fetch_or)                                                          \
    MODIFY(xor, bits, __atomic_fetch_xor)

OPERATIONS(16)
OPERATIONS(32)
OPERATIONS(64)

/* ---- Signals: the same operations on the value, which also wake those who wait ---- */

struct signal {
    int64_t kind; /* 0 once the signal is destroyed, which ends waits for it */
    int64_t value;
    uint64_t event_mailbox;
    uint32_t event_id;
    uint32_t reserved;
    uint64_t start;
    uint64_t end;
    uint64_t queue;
    uint32_t waiters; /* how many threads of all processes may sleep */
    uint32_t changes; /* what they sleep on: it grows with each change that is made while they do */
};

_Static_assert(sizeof(struct signal) == 64, "the size of amd_signal_t");
_Static_assert(offsetof(struct signal, waiters) == 56, "reserved3 of amd_signal_t");

enum { FUTEX_OF_WAKE = 1, FUTEX_OF_WAIT_BITSET = 9, FUTEX_OF_WAITV = 449, WORD_OF_32_BITS = 2 };

static inline struct signal *at_handle(uint64_t signal)
{
    return (struct signal *)(uintptr_t)signal;
}

static inline uint64_t value_of(uint64_t signal)
{
    return signal + offsetof(struct signal, value);
}

static inline bool is_live(uint64_t signal)
{
    return signal && __atomic_load_n(&at_handle(signal)->kind, __ATOMIC_ACQUIRE) != 0;
}

/* Wake those who wait for a signal, so that they look again. */
API void signal_wake(uint64_t signal)
{
    struct signal *at = at_handle(signal);
    /* A waiter counts itself before it looks at the value. So either it sees the new value, or its
       count is seen here. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&at->waiters, __ATOMIC_RELAXED) == 0)
        return;
    __atomic_fetch_add(&at->changes, 1, __ATOMIC_SEQ_CST);
    int before = errno;
    syscall(SYS_futex, &at->changes, FUTEX_OF_WAKE, INT_MAX, NULL, NULL, 0);
    errno = before;
}

API int64_t signal_load(uint64_t signal, int order)
{
    return (int64_t)load_64(value_of(signal), order);
}

API void signal_store(uint64_t signal, int64_t value, int order)
{
    store_64(value_of(signal), (uint64_t)value, order);
    signal_wake(signal);
}

API void signal_silent_store(uint64_t signal, int64_t value, int order)
{
    store_64(value_of(signal), (uint64_t)value, order);
}

API int64_t signal_cas(uint64_t signal, int64_t expected, int64_t value, int order)
{
    uint64_t before = cas_64(value_of(signal), (uint64_t)expected, (uint64_t)value, order);
    signal_wake(signal);
    return (int64_t)before;
}

#define SIGNAL_OPERATION(name)                                                                   \
    API int64_t signal_##name(uint64_t signal, int64_t value, int order)                         \
    {                                                                                            \
        uint64_t before = name##_64(value_of(signal), (uint64_t)value, order);                   \
        signal_wake(signal);                                                                     \
        return (int64_t)before;                                                                  \
    }

SIGNAL_OPERATION(exchange)
SIGNAL_OPERATION(add)
SIGNAL_OPERATION(subtract)
SIGNAL_OPERATION(and)
SIGNAL_OPERATION(or)
SIGNAL_OPERATION(xor)

/* Mark a signal as destroyed and end the waits for it. */
API void signal_end(uint64_t signal)
{
    __atomic_store_n(&at_handle(signal)->kind, 0, __ATOMIC_SEQ_CST);
    signal_wake(signal);
}

/* ---- Waits ---- */

/* What a wait answers beside an index. */
enum { TIME_OVER = -1, INTERRUPTED = -2, NOT_YET = -3 };

#define NO_LIMIT UINT64_MAX
#define MICROSECOND UINT64_C(1000)
#define MILLISECOND (1000 * MICROSECOND)

/* How long a wait with the hint to stay active looks before it sleeps. */
#define ACTIVE (20 * MICROSECOND)
/* Memory can change with no call that wakes: a silent store, or a store to the address of a value.
   So nobody sleeps for longer than this without a look. */
#define LONGEST_SLEEP (50 * MILLISECOND)
/* The same for those who wait for more signals than the kernel can watch. */
#define SHORT_SLEEP MILLISECOND
/* How many the kernel can watch for one thread. */
#define MOST 128

struct wait {
    uint32_t count;
    const uint64_t *signals; /* 0 stands for no signal */
    const uint32_t *conditions; /* numbers of hsa_signal_condition_t */
    const int64_t *compare;
    uint8_t *met; /* for a wait for all: which have met their condition; else NULL */
    int64_t *values;
};

/* The kernel's struct futex_waitv, which older headers lack. */
struct watch {
    uint64_t expected;
    uint64_t address;
    uint32_t flags;
    uint32_t reserved;
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 * MILLISECOND + (uint64_t)time.tv_nsec;
}

static bool meets(int64_t value, uint32_t condition, int64_t compare)
{
    switch (condition) {
    case 0: return value == compare;
    case 1: return value != compare;
    case 2: return value < compare;
    case 3: return value >= compare;
    default: return true; /* nobody could ever meet it */
    }
}

/* Return whether any signal of the list, or whether all of them, have met their condition. */
static int64_t look(const struct wait *wait)
{
    bool missing = false;
    for (uint32_t i = 0; i < wait->count; i++) {
        if (wait->met && wait->met[i])
            continue;
        bool live = is_live(wait->signals[i]);
        int64_t value = live ? signal_load(wait->signals[i], __ATOMIC_SEQ_CST) : 0;
        bool met = live && meets(value, wait->conditions[i], wait->compare[i]);
        if (wait->met && (met || !live)) {
            wait->met[i] = true;
            wait->values[i] = value;
        } else if (met) {
            *wait->values = value;
            return i;
        } else {
            missing |= live;
        }
    }
    if (missing)
        return NOT_YET;
    return wait->met ? 0 : TIME_OVER;
}

/* Count this thread among those who may sleep, or take it out again. */
static void enlist(const struct wait *wait, uint32_t by)
{
    for (uint32_t i = 0; i < wait->count; i++)
        if (wait->signals[i])
            __atomic_fetch_add(&at_handle(wait->signals[i])->waiters, by, __ATOMIC_SEQ_CST);
}

/* Fill in what to sleep on, and return whether that is all that the wait is for. */
static bool watch(const struct wait *wait, struct watch *watches, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < wait->count; i++) {
        if (!is_live(wait->signals[i]) || (wait->met && wait->met[i]))
            continue;
        if (*count == MOST)
            return false;
        uint32_t *changes = &at_handle(wait->signals[i])->changes;
        watches[(*count)++] = (struct watch){
            .expected = __atomic_load_n(changes, __ATOMIC_SEQ_CST),
            .address = (uintptr_t)changes,
            .flags = WORD_OF_32_BITS,
        };
    }
    return true;
}

static struct timespec timespec_of(uint64_t time)
{
    return (struct timespec){
        .tv_sec = (time_t)(time / (1000 * MILLISECOND)),
        .tv_nsec = (long)(time % (1000 * MILLISECOND)),
    };
}

/* Sleep until something changes, or until a time; return whether a signal handler interrupted. */
static bool sleep_on(const struct watch *watches, uint32_t count, uint64_t until)
{
    struct timespec time = timespec_of(until);
    if (count > 1) {
        if (syscall(FUTEX_OF_WAITV, watches, count, 0, &time, CLOCK_MONOTONIC) >= 0)
            return false;
        if (errno == EINTR || errno == EAGAIN || errno == ETIMEDOUT)
            return errno == EINTR;
        /* Linux before 5.16 does not have this call: look at all of them often. */
        uint64_t soon = now() + SHORT_SLEEP;
        time = timespec_of(soon < until ? soon : until);
    }
    return syscall(SYS_futex, watches[0].address, FUTEX_OF_WAIT_BITSET,
                   (uint32_t)watches[0].expected, &time, NULL, UINT32_MAX) < 0 && errno == EINTR;
}

static int64_t sleep_until(const struct wait *wait, uint64_t end)
{
    for (;;) {
        /* Its system calls are no cancellation points. */
        pthread_testcancel();
        struct watch watches[MOST];
        uint32_t count;
        bool complete = watch(wait, watches, &count);
        int64_t found = look(wait);
        if (found != NOT_YET)
            return found;
        uint64_t time = now();
        if (time >= end)
            return TIME_OVER;
        uint64_t until = time + (complete ? LONGEST_SLEEP : SHORT_SLEEP);
        if (count > 0 && sleep_on(watches, count, until < end ? until : end))
            return INTERRUPTED;
    }
}

static void end_wait(void *wait)
{
    enlist(wait, UINT32_MAX);
    end_outside(NULL);
}

static int64_t wait_for(const struct wait *wait, uint64_t limit, bool active)
{
    int64_t found = look(wait);
    if (found != NOT_YET)
        return found;
    uint64_t start = now();
    uint64_t end = start + limit < start ? NO_LIMIT : start + limit;
    while (active && now() < end && now() - start < ACTIVE) {
        found = look(wait);
        if (found != NOT_YET)
            return found;
    }
    enlist(wait, 1);
    pthread_cleanup_push(end_wait, (void *)wait);
    int left = go_outside();
    found = sleep_until(wait, end);
    come_inside(left);
    pthread_cleanup_pop(false);
    enlist(wait, UINT32_MAX);
    return found;
}

/* Wait until one of several signals meets its condition.

   Handles of 0 and destroyed signals are passed over. `limit` is in nanoseconds, UINT64_MAX for no
   limit. With `active` the thread looks for a while before it sleeps.

   Returns the index of the signal, with the value that met the condition in `value`; or TIME_OVER,
   also without a live signal in the list; or INTERRUPTED after the handler of a POSIX signal. */
API int64_t signal_wait_any(uint32_t count, const uint64_t *signals, const uint32_t *conditions,
                            const int64_t *compare, uint64_t limit, int active, int64_t *value)
{
    struct wait wait = {count, signals, conditions, compare, NULL, value};
    return wait_for(&wait, limit, active);
}

/* Wait until each of several signals has met its condition at some time.

   Arguments are those of signal_wait_any. `met` has a byte for each signal, 0 at first; whoever
   calls again after INTERRUPTED leaves them. `values` gets the values that met the conditions, and
   0 for what is no live signal, which counts as met.

   Returns 0, TIME_OVER or INTERRUPTED. */
API int64_t signal_wait_all(uint32_t count, const uint64_t *signals, const uint32_t *conditions,
                            const int64_t *compare, uint64_t limit, int active, uint8_t *met,
                            int64_t *values)
{
    struct wait wait = {count, signals, conditions, compare, met, values};
    return wait_for(&wait, limit, active);
}

/* Wait until a signal meets a condition.

   `value` gets the value that was seen last, 0 once the signal is destroyed.

   Returns 0, TIME_OVER or INTERRUPTED, as signal_wait_any does. */
API int64_t signal_wait(uint64_t signal, uint32_t condition, int64_t compare, uint64_t limit,
                        int active, int64_t *value)
{
    int64_t found = signal_wait_any(1, &signal, &condition, &compare, limit, active, value);
    if (found != 0)
        *value = is_live(signal) ? signal_load(signal, __ATOMIC_SEQ_CST) : 0;
    return found;
}
