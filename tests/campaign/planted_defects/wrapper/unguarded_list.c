/* A list of what lives is changed without a lock, and what is not in it is not given back. */
#include "planted.h"

#define ROOM 65536

static volatile uint64_t list[ROOM];
static volatile unsigned length;

static void add(uint64_t key)
{
    unsigned place = length;
    list[place % ROOM] = key;
    work(WINDOW);
    length = place + 1;
}

static bool take(uint64_t key)
{
    for (unsigned i = 0; i < length && i < ROOM; i++)
        if (list[i] == key) {
            list[i] = 0;
            return true;
        }
    return false;
}

#define CREATOR(name, params, args, key) \
    hsa_status_t name params \
    { \
        hsa_status_t status = REAL(name) args; \
        if (status == HSA_STATUS_SUCCESS) \
            add((uint64_t)(key)); \
        return status; \
    }
CREATORS

hsa_status_t DESTROYER DESTROYER_PARAMS
{
    if (!take((uint64_t)(KEY)))
        return LOST;
    return REAL(DESTROYER) DESTROYER_ARGS;
}
