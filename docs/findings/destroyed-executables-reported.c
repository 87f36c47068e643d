/* A traversal of the executables reports those that there are, and no others. */
#include "executables.h"
#include "loader.h"

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
    loader = loader_table();
    if (hsa_executable_destroy(new_executable()))
        cannot_tell("the executable is not destroyed");
    if (loader.iterate_executables(count_zeros, &zeros))
        cannot_tell("there is no traversal");
    printf("%d executables with the handle 0\n", zeros);
    return zeros != 0;
}
