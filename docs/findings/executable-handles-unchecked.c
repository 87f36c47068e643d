/* A handle that is no executable has to be refused, and not to end the process. */
#include "finding.h"

enum { HSA_EXECUTABLE_INFO_STATE = 2 };

FUNCTION(int, hsa_executable_get_info, (handle executable, int attribute, void *value),
         (executable, attribute, value))

static int defect(void)
{
    uint32_t value[16];

    initialise();
    return STATUS_OF(hsa_executable_get_info(no_object(), HSA_EXECUTABLE_INFO_STATE, value)) ==
           HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
