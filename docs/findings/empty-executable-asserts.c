/* Segments have to be described, also where the last executable has loaded nothing. */
#include "kernel.h"

enum { HSA_EXTENSION_AMD_LOADER = 0x201, DESCRIPTOR_BYTES = 64 };

/* How the loader's table of functions begins. */
struct loader {
    void *query_host_address;
    int (*query_segment_descriptors)(void *descriptors, size_t *count);
};

FUNCTION(int, hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t size, void *table),
         (extension, major, size, table))

static int defect(void)
{
    struct loader loader;
    size_t count = 0;

    initialise();
    if (hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader))
        cannot_tell("no table of the loader");
    if (load_code(prepared(kernel_code(), KERNEL_BYTES), NULL))
        cannot_tell("the code is not loaded");
    new_executable();
    if (loader.query_segment_descriptors(NULL, &count) || !count)
        cannot_tell("there are no segments");
    return STATUS_OF(loader.query_segment_descriptors(calloc(count, DESCRIPTOR_BYTES), &count)) !=
           HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
