/* Atomic operations on a list of addresses, one after the other: lanes of a wave, in their order.

   Python reaches the function through ctypes. Each value is in 64 bits of its list, whatever its
   size. What memory held before goes to `old`. The C library's memory model gives sequential
   consistency, which is more than any scope of the instructions asks for. */

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    SWAP, CMPSWAP, ADD, SUB, SMIN, UMIN, SMAX, UMAX, AND, OR, XOR, INC, DEC, FADD, FMIN, FMAX
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
        case FADD: return as_bits_##bits(as_real_##bits(old) + as_real_##bits(value));           \
        case FMIN: return as_bits_##bits(fmin(as_real_##bits(old), as_real_##bits(value)));      \
        default: return as_bits_##bits(fmax(as_real_##bits(old), as_real_##bits(value)));        \
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
