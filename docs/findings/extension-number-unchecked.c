/* A number that is no extension is refused as an invalid argument. */
#include "finding.h"

enum { UNKNOWN = 0x7ff0 };

FUNCTION(int, hsa_system_major_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t *minor, bool *result),
         (extension, major, minor, result))

int main(int count, char **words)
{
    uint16_t minor;
    bool result;
    int asked;

    start(count, words);
    asked = STATUS_OF(hsa_system_major_extension_supported(UNKNOWN, 1, &minor, &result));
    return asked != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
