/* The status codes that AMD's header adds are described. */
#include "finding.h"

enum { VERSION_MAJOR = 0x207, VERSION_MINOR = 0x208 };
enum { RESOURCE_BUSY = 46, NOT_SUPPORTED = 47 };

FUNCTION(int, hsa_status_string, (int status, const char **text), (status, text))

static int lacks(int status)
{
    const char *text = NULL;

    if (hsa_status_string(status, &text) == HSA_STATUS_SUCCESS)
        return 0;
    printf("%d has no description\n", status);
    return 1;
}

int main(int count, char **words)
{
    uint16_t major = 0, minor = 0;
    int defects;

    start(count, words);
    if (hsa_system_get_info(VERSION_MAJOR, &major) || hsa_system_get_info(VERSION_MINOR, &minor))
        cannot_tell("the version of the header is not known");
    if (major == 1 && minor < 6)
        cannot_tell("the header of this release has no such code");
    defects = lacks(RESOURCE_BUSY);
    if (major > 1 || minor >= 11)
        defects += lacks(NOT_SUPPORTED);
    return defects > 0;
}
