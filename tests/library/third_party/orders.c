/* Ways to get the order of memory wrong that no processor has, before a runtime that is right.
 *
 * Each thread puts off what relaxed stores do, gives again what relaxed loads have found, or makes
 * an addition only when it makes the next one; it does not notice that itself. With HONEST, what has
 * to order them does.
 */
#include "planted.h"

#ifndef HONEST
#define HONEST 0
#endif

#ifdef PUTS_OFF
#define MOST 8
static _Thread_local struct { hsa_signal_t signal; hsa_signal_value_t value; } put_off[MOST];
static _Thread_local unsigned count;

static void make_up(void)
{
    for (unsigned i = 0; i < count; i++)
        REAL(hsa_signal_store_relaxed)(put_off[i].signal, put_off[i].value);
    count = 0;
}

void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    if (count == MOST)
        make_up();
    put_off[count].signal = signal;
    put_off[count++].value = value;
}

void hsa_signal_store_release(hsa_signal_t signal, hsa_signal_value_t value)
{
    if (HONEST)
        make_up();
    REAL(hsa_signal_store_release)(signal, value);
#ifdef TOO_LATE
    make_up();
#endif
}

#define UPDATES make_up()
#endif

#ifdef GIVES_AGAIN
static _Thread_local struct { hsa_signal_t signal; hsa_signal_value_t value; unsigned left; } found;

hsa_signal_value_t hsa_signal_load_relaxed(hsa_signal_t signal)
{
    if (found.signal.handle != signal.handle || !found.left--) {
        found.signal = signal;
        found.value = REAL(hsa_signal_load_relaxed)(signal);
        found.left = 8;
    }
    return found.value;
}

hsa_signal_value_t hsa_signal_load_acquire(hsa_signal_t signal)
{
    hsa_signal_value_t value = REAL(hsa_signal_load_acquire)(signal);
    if (HONEST)
        found.signal.handle = 0;
    return value;
}

hsa_signal_value_t hsa_signal_wait_acquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                           hsa_wait_state_t wait_state_hint)
{
    hsa_signal_value_t value = REAL(hsa_signal_wait_acquire)(signal, condition, compare_value,
                                                             timeout_hint, wait_state_hint);
    found.signal.handle = 0;
    return value;
}

void hsa_signal_add_acquire(hsa_signal_t signal, hsa_signal_value_t value)
{
    REAL(hsa_signal_add_acquire)(signal, value);
    found.signal.handle = 0;
}

void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    REAL(hsa_signal_store_relaxed)(signal, value);
    found.signal.handle = 0;
}

#define UPDATES found.signal.handle = 0
#endif

#ifdef ADDS_LATER
static _Thread_local hsa_signal_t last;
static _Thread_local hsa_signal_value_t more;

static void add(void)
{
    if (last.handle)
        REAL(hsa_signal_add_acquire)(last, more);
    last.handle = 0;
}

void hsa_signal_add_acquire(hsa_signal_t signal, hsa_signal_value_t value)
{
    add();
    last = signal;
    more = value;
}

#define UPDATES add()
#endif

/* What changes a value tells the thread what it was, with all that the thread itself has done. */

hsa_signal_value_t hsa_signal_exchange_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    UPDATES;
    return REAL(hsa_signal_exchange_relaxed)(signal, value);
}

hsa_signal_value_t hsa_signal_exchange_release(hsa_signal_t signal, hsa_signal_value_t value)
{
    UPDATES;
    return REAL(hsa_signal_exchange_release)(signal, value);
}

hsa_signal_value_t hsa_signal_cas_relaxed(hsa_signal_t signal, hsa_signal_value_t expected,
                                          hsa_signal_value_t value)
{
    UPDATES;
    return REAL(hsa_signal_cas_relaxed)(signal, expected, value);
}
