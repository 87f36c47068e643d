/* The loader's table of functions, for the programs about hsa_ven_amd_loader_*. */
#ifndef LOADER_H
#define LOADER_H

#include "finding.h"

enum { HSA_EXTENSION_AMD_LOADER = 0x201 };

/* How version 1.03 begins; of an older one there is less, and the rest stays NULL. */
struct loader {
    int (*query_host_address)(const void *device_address, const void **host_address);
    int (*query_segment_descriptors)(void *descriptors, size_t *count);
    int (*query_executable)(const void *device_address, handle *executable);
    int (*executable_iterate_loaded_code_objects)(handle executable, visitor *visit, void *data);
    int (*loaded_code_object_get_info)(handle loaded, int attribute, void *value);
    int (*code_object_reader_create)(int file, size_t offset, size_t size, handle *reader);
    int (*iterate_executables)(visitor *visit, void *data);
};

FUNCTION(int, hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t size, void *table),
         (extension, major, size, table))

static inline struct loader loader_table(void)
{
    struct loader loader = {0};

    if (hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader))
        cannot_tell("no table of the loader");
    return loader;
}

#endif
