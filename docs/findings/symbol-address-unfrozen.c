/* A kernel has no object before its executable is frozen. */
#include "kernel.h"

enum { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT = 22 };

FUNCTION(int, hsa_executable_symbol_get_info,
         (hsa_executable_symbol_t symbol, int attribute, void *value), (symbol, attribute, value))

int main(int count, char **words)
{
    struct loading loading;
    hsa_executable_symbol_t kernel;
    uint64_t object;

    start(count, words);
    loading = prepared(kernel_code(), KERNEL_BYTES);
    if (load_code(loading, NULL) || find_kernel(loading, &kernel) ||
        hsa_executable_symbol_get_info(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object))
        cannot_tell("the kernel is not found");
    printf("kernel object %#llx\n", (unsigned long long)object);
    return object != 0;
}
