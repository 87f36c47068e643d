/* A number that is no extension is refused as an invalid argument. */
#include "finding.h"

enum { UNKNOWN = 0x7ff0 };

FUNCTION(int, hsa_system_major_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t *minor, bool *result),
         (extension, major, minor, result))
FUNCTION(int, hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t size, void *table),
         (extension, major, size, table))

int main(int count, char **words)
{
    void *table[64] = {0};
    uint16_t minor;
    bool result;
    int asked, got;

    start(count, words);
    asked = STATUS_OF(hsa_system_major_extension_supported(UNKNOWN, 1, &minor, &result));
    got = STATUS_OF(hsa_system_get_major_extension_table(UNKNOWN, 1, sizeof table, table));
    return asked != HSA_STATUS_ERROR_INVALID_ARGUMENT || got != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
