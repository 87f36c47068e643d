/* A variable cannot be defined for an agent that does not exist. */
#include "executables.h"

FUNCTION(int, hsa_executable_agent_global_variable_define,
         (hsa_executable_t executable, hsa_agent_t agent, const char *variable, void *address),
         (executable, agent, variable, address))

int main(int count, char **words)
{
    static uint64_t memory[64];
    hsa_executable_t executable;
    hsa_agent_t nobody = {0};

    start(count, words);
    executable = new_executable();
    return STATUS_OF(hsa_executable_agent_global_variable_define(executable, nobody, "apart",
                                                                 memory)) == HSA_STATUS_SUCCESS;
}
