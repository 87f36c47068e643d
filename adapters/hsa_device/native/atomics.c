/* Atomic operations on a list of addresses, one after the other: lanes of a wave, in their order.

   Python reaches the function through ctypes. Each value is in 64 bits of its list, whatever its
   size. What memory held before goes to `old`. The C library's memory model gives sequential
   consistency, which is more than any scope of the instructions asks for. */

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    SWAP, CMPSWAP, ADD, SUB, SMIN, UMIN, SMAX, UMAX, AND, OR, XOR, INC, DEC, FADD, FMIN, FMAX,
    /* Denormal sources are 0, or denormal results, or both. */
    FADD_IN, FADD_OUT, FADD_BOTH, FMIN_IN, FMAX_IN
};

#define OPERATIONS(bits, real)                                                                   \
    static real as_real_##bits(uint##bits##_t number)                                            \
    {                                                                                            \
        real found;                                                                              \
        memcpy(&found, &number, sizeof found);                                                   \
        return found;                                                                            \
    }                                                                                            \
                                                                                                 \
    static uint##bits##_t as_bits_##bits(real number)                                            \
    {                                                                                            \
        uint##bits##_t found;                                                                    \
        memcpy(&found, &number, sizeof found);                                                   \
        return found;                                                                            \
    }                                                                                            \
                                                                                                 \
    static real flushed_##bits(real number)                                                      \
    {                                                                                            \
        return fpclassify(number) == FP_SUBNORMAL ? copysign(0, number) : number;                \
    }                                                                                            \
                                                                                                 \
    /* A signalling NaN, made quiet, comes first, then a number; -0 is less than 0. */            \
    static uint##bits##_t chosen_##bits(uint##bits##_t old, uint##bits##_t value, int largest,   \
                                        int flushes)                                             \
    {                                                                                            \
        const uint##bits##_t quiet = (uint##bits##_t)1 << (bits == 32 ? 22 : 51);                \
        real a = as_real_##bits(old), b = as_real_##bits(value);                                 \
        if (isnan(a) && !(old & quiet))                                                          \
            return old | quiet;                                                                  \
        if (isnan(b) && !(value & quiet))                                                        \
            return value | quiet;                                                                \
        if (isnan(a) || isnan(b))                                                                \
            return isnan(a) ? value : old;                                                       \
        if (flushes)                                                                             \
            a = flushed_##bits(a), b = flushed_##bits(b);                                        \
        if ((a == b ? !signbit(b) : b > a) == largest)                                           \
            return value;                                                                        \
        return old;                                                                              \
    }                                                                                            \
                                                                                                 \
    static uint##bits##_t sum_##bits(uint##bits##_t old, uint##bits##_t value, int sources,      \
                                     int results)                                                \
    {                                                                                            \
        real a = as_real_##bits(old), b = as_real_##bits(value), sum;                            \
        sum = sources ? flushed_##bits(a) + flushed_##bits(b) : a + b;                           \
        return as_bits_##bits(results ? flushed_##bits(sum) : sum);                              \
    }                                                                                            \
                                                                                                 \
    static uint##bits##_t new_##bits(int operation, uint##bits##_t old, uint##bits##_t value,    \
                                     uint##bits##_t compare)                                     \
    {                                                                                            \
        switch (operation) {                                                                     \
        case SWAP: return value;                                                                 \
        case CMPSWAP: return old == compare ? value : old;                                       \
        case ADD: return old + value;                                                            \
        case SUB: return old - value;                                                            \
        case SMIN: return (int##bits##_t)value < (int##bits##_t)old ? value : old;               \
        case UMIN: return value < old ? value : old;                                             \
        case SMAX: return (int##bits##_t)value > (int##bits##_t)old ? value : old;               \
        case UMAX: return value > old ? value : old;                                             \
        case AND: return old & value;                                                            \
        case OR: return old | value;                                                             \
        case XOR: return old ^ value;                                                            \
        case INC: return old >= value ? 0 : old + 1;                                             \
        case DEC: return old == 0 || old > value ? value : old - 1;                              \
        case FADD: return sum_##bits(old, value, 0, 0);                                          \
        case FMIN: return chosen_##bits(old, value, 0, 0);                                       \
        case FMAX: return chosen_##bits(old, value, 1, 0);                                       \
        case FADD_IN: return sum_##bits(old, value, 1, 0);                                       \
        case FADD_OUT: return sum_##bits(old, value, 0, 1);                                      \
        case FADD_BOTH: return sum_##bits(old, value, 1, 1);                                     \
        case FMIN_IN: return chosen_##bits(old, value, 0, 1);                                    \
        default: return chosen_##bits(old, value, 1, 1);                                         \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    static uint64_t modify_##bits(int operation, uint64_t address, uint64_t value,               \
                                  uint64_t compare)                                              \
    {                                                                                            \
        uint##bits##_t *at = (uint##bits##_t *)(uintptr_t)address;                               \
        uint##bits##_t old = __atomic_load_n(at, __ATOMIC_RELAXED), next;                        \
        do                                                                                       \
            next = new_##bits(operation, old, (uint##bits##_t)value, (uint##bits##_t)compare);   \
        while (!__atomic_compare_exchange_n(at, &old, next, 0, __ATOMIC_SEQ_CST,                 \
                                            __ATOMIC_SEQ_CST));                                  \
        return old;                                                                              \
    }

OPERATIONS(32, float)
OPERATIONS(64, double)

/* Addresses are multiples of the size, which is 4 or 8. */
void hsa_device_modify(int operation, int size, uint64_t count, const uint64_t *addresses,
                       const uint64_t *values, const uint64_t *compares, uint64_t *old)
{
    for (uint64_t i = 0; i < count; i++)
        old[i] = size == 8 ? modify_64(operation, addresses[i], values[i], compares[i])
                           : modify_32(operation, addresses[i], values[i], compares[i]);
}
