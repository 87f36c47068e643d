/* A handle that is no executable may be refused, and must not end the process. */
#include "finding.h"

enum { HSA_EXECUTABLE_INFO_STATE = 2 };

FUNCTION(int, hsa_executable_get_info, (handle executable, int attribute, void *value),
         (executable, attribute, value))

static int defect(void)
{
    uint32_t value[16];

    initialise();
    STATUS_OF(hsa_executable_get_info(no_object(), HSA_EXECUTABLE_INFO_STATE, value));
    return 0;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
