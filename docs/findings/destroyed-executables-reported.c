/* A traversal of the executables reports those that there are, and no others. */
#include "executables.h"

enum { HSA_EXTENSION_AMD_LOADER = 0x201 };

/* The loader's table of functions, version 1.03. */
struct loader {
    void *others[6];
    int (*iterate_executables)(visitor *visit, void *data);
};

FUNCTION(int, hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t size, void *table),
         (extension, major, size, table))
FUNCTION(int, hsa_executable_destroy, (hsa_executable_t executable), (executable))

static int count_zeros(hsa_executable_t executable, void *data)
{
    *(int *)data += !executable.handle;
    return 0;
}

int main(int count, char **words)
{
    struct loader loader;
    int zeros = 0;

    start(count, words);
    if (hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader))
        cannot_tell("no table of the loader");
    if (hsa_executable_destroy(new_executable()))
        cannot_tell("the executable is not destroyed");
    if (loader.iterate_executables(count_zeros, &zeros))
        cannot_tell("there is no traversal");
    printf("%d executables with the handle 0\n", zeros);
    return zeros != 0;
}
