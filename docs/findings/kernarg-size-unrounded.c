/* The size of a kernel's arguments is a multiple of 16. */
#include "kernel.h"

enum { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE = 11 };

FUNCTION(int, hsa_executable_symbol_get_info,
         (hsa_executable_symbol_t symbol, int attribute, void *value), (symbol, attribute, value))

int main(int count, char **words)
{
    struct loading loading;
    hsa_executable_symbol_t kernel;
    uint32_t size;

    start(count, words);
    loading = prepared(kernel_code(), KERNEL_BYTES);
    if (load_code(loading, NULL) || find_kernel(loading, &kernel) ||
        hsa_executable_symbol_get_info(
            kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &size))
        cannot_tell("the kernel is not found");
    printf("%u bytes\n", (unsigned)size);
    return size % 16 != 0;
}
