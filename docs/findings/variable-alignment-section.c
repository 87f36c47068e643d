/* The address of a variable is a multiple of its alignment. */
#include "variables.h"

enum {
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT = 8,
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS = 21
};

FUNCTION(int, hsa_executable_freeze, (hsa_executable_t executable, const char *options),
         (executable, options))

static uint64_t attribute(struct loading loading, int attribute)
{
    uint64_t value = 0;

    if (hsa_executable_symbol_get_info(variable(loading, "byte"), attribute, &value))
        cannot_tell("the attribute is refused");
    return value;
}

int main(int count, char **words)
{
    struct loading loading;
    uint64_t address;
    uint32_t alignment;

    start(count, words);
    loading = variables_loaded();
    alignment = (uint32_t)attribute(loading, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT);
    address = attribute(loading, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
    if (!address && !hsa_executable_freeze(loading.executable, NULL))
        address = attribute(loading, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
    if (!alignment || !address)
        cannot_tell("the variable has no alignment or no address");
    printf("alignment %u, address %#llx\n", (unsigned)alignment, (unsigned long long)address);
    return address % alignment != 0;
}
