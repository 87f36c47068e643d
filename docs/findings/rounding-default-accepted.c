/* An executable cannot have the default rounding mode, which only a machine has. */
#include "executables.h"

enum { HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT = 0 };

int main(int count, char **words)
{
    hsa_executable_t executable;

    start(count, words);
    return STATUS_OF(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                               HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                               &executable)) != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
