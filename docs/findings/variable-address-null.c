/* A variable cannot be defined at NULL. */
#include "executables.h"

FUNCTION(int, hsa_executable_global_variable_define,
         (hsa_executable_t executable, const char *variable, void *address),
         (executable, variable, address))

int main(int count, char **words)
{
    hsa_executable_t executable;

    start(count, words);
    executable = new_executable();
    return STATUS_OF(hsa_executable_global_variable_define(executable, "apart", NULL)) ==
           HSA_STATUS_SUCCESS;
}
