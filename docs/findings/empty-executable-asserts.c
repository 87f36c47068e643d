/* Segments have to be described, also where the last executable has loaded nothing. */
#include "kernel.h"
#include "loader.h"

enum { DESCRIPTOR_BYTES = 64 };

static int defect(void)
{
    struct loader loader;
    size_t count = 0;

    initialise();
    loader = loader_table();
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
