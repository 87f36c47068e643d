/* The honest fake with the loader's extension, whose functions are reached through a table alone:
 * they have no symbols. There is no code: what can be asked for are addresses in blocks of pools,
 * and there is one executable.
 * Each macro puts one fault into it:
 * FAKE_NO_LOADER    no version of the extension is supported
 * FAKE_ANY_ADDRESS  every address is one that it knows
 * FAKE_NO_ADDRESS   its table lacks the function that host addresses are asked for with
 * FAKE_CRASHES      asking for a host address dies
 */
#include "honest.c"

#include <signal.h>
#include <string.h>

#ifdef FAKE_NO_ADDRESS
#define HOST_ADDRESS NULL
#else
#define HOST_ADDRESS (void *)query_host_address
#endif

enum { LOADER = 0x201, THE_EXECUTABLE = 0xE8EC };

typedef struct { uint64_t handle; } hsa_executable_t;
typedef hsa_status_t (*executable_callback)(hsa_executable_t executable, void *data);

FUNCTION(query_host_address, (const void *device_address, const void **host_address),
         (device_address, host_address))
{
#ifdef FAKE_CRASHES
    raise(SIGSEGV);
#endif
    if (!device_address || !host_address)
        return INVALID_ARGUMENT;
#ifndef FAKE_ANY_ADDRESS
    if (!find_range(BUFFER, device_address))
        return INVALID_ARGUMENT;
#endif
    *host_address = device_address;
    return SUCCESS;
}

FUNCTION(iterate_executables, (executable_callback callback, void *data), (callback, data))
{
    return callback ? callback((hsa_executable_t){THE_EXECUTABLE}, data) : INVALID_ARGUMENT;
}

static bool is_supported(uint16_t extension, uint16_t version_major)
{
#ifdef FAKE_NO_LOADER
    return false;
#endif
    return extension == LOADER && version_major == 1;
}

FUNCTION(hsa_system_major_extension_supported,
         (uint16_t extension, uint16_t version_major, uint16_t *version_minor, bool *result),
         (extension, version_major, version_minor, result))
{
    if (!version_minor || !result)
        return INVALID_ARGUMENT;
    *result = is_supported(extension, version_major);
    *version_minor = 3;
    return SUCCESS;
}

FUNCTION(hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t version_major, size_t table_length, void *table),
         (extension, version_major, table_length, table))
{
    /* The others are left out, as no honest library would. */
    static void *const functions[] = {
        HOST_ADDRESS, NULL, NULL, NULL, NULL, NULL, (void *)iterate_executables,
    };
    if (!table || !is_supported(extension, version_major))
        return INVALID_ARGUMENT;
    memcpy(table, functions, table_length < sizeof functions ? table_length : sizeof functions);
    return SUCCESS;
}
