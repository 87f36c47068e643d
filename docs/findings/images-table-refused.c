/* The table of images is given to whoever is told that they are supported. */
#include "finding.h"

enum { HSA_SYSTEM_INFO_EXTENSIONS = 7, HSA_EXTENSION_IMAGES = 1 };

FUNCTION(int, hsa_system_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t minor, bool *result),
         (extension, major, minor, result))
FUNCTION(int, hsa_system_major_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t *minor, bool *result),
         (extension, major, minor, result))
FUNCTION(int, hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t size, void *table),
         (extension, major, size, table))

int main(int count, char **words)
{
    void *table[10]; /* of version 1.0 */
    uint8_t mask[128] = {0};
    bool exact = false, major = false;
    uint16_t minor;

    start(count, words);
    hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, mask);
    hsa_system_extension_supported(HSA_EXTENSION_IMAGES, 1, 0, &exact);
    hsa_system_major_extension_supported(HSA_EXTENSION_IMAGES, 1, &minor, &major);
    if (!(mask[0] >> HSA_EXTENSION_IMAGES & 1) || !exact || !major)
        cannot_tell("images are not supported");
    return STATUS_OF(hsa_system_get_major_extension_table(HSA_EXTENSION_IMAGES, 1, sizeof table,
                                                          table)) != HSA_STATUS_SUCCESS;
}
