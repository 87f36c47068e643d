/* System attributes and extensions, of which there are none. */
#include <string.h>
#include <time.h>

#include "internal.h"

uint64_t timestamp(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * TICKS_PER_SECOND +
           (uint64_t)now.tv_nsec / (1000000000u / TICKS_PER_SECOND);
}

void set_text(char text[64], const char *from)
{
    memset(text, 0, 64);
    memcpy(text, from, strnlen(from, 63));
}

bool valid_extension(uint16_t extension)
{
    return extension == HSA_EXTENSION_FINALIZER || extension == HSA_EXTENSION_IMAGES;
}

hsa_machine_model_t machine_model(void)
{
    return sizeof(void *) == 8 ? HSA_MACHINE_MODEL_LARGE : HSA_MACHINE_MODEL_SMALL;
}

static hsa_endianness_t endianness(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one ? HSA_ENDIANNESS_LITTLE : HSA_ENDIANNESS_BIG;
}

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
        *(uint16_t *)value = 1;
        break;
    case HSA_SYSTEM_INFO_VERSION_MINOR:
        *(uint16_t *)value = 0;
        break;
    case HSA_SYSTEM_INFO_TIMESTAMP:
        *(uint64_t *)value = timestamp();
        break;
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
        *(uint64_t *)value = TICKS_PER_SECOND;
        break;
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
        *(uint64_t *)value = UINT64_MAX;
        break;
    case HSA_SYSTEM_INFO_ENDIANNESS:
        *(hsa_endianness_t *)value = endianness();
        break;
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
        *(hsa_machine_model_t *)value = machine_model();
        break;
    case HSA_SYSTEM_INFO_EXTENSIONS:
        memset(value, 0, 128);
        break;
    default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major,
                                            uint16_t version_minor, bool *result)
{
    (void)version_major;
    (void)version_minor;
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!valid_extension(extension) || !result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = false;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t version_major,
                                            uint16_t version_minor, void *table)
{
    (void)extension;
    (void)version_major;
    (void)version_minor;
    (void)table;
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
