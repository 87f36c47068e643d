/* A second handler of system events is refused with HSA_STATUS_ERROR. */
#include "finding.h"

enum { HSA_STATUS_ERROR = 0x1000 };

FUNCTION(int, hsa_amd_register_system_event_handler,
         (int (*handler)(const void *event, void *data), void *data), (handler, data))

static int ignore(const void *event, void *data)
{
    (void)event;
    (void)data;
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    start(count, words);
    if (STATUS_OF(hsa_amd_register_system_event_handler(ignore, NULL)))
        cannot_tell("no handler can be registered");
    return STATUS_OF(hsa_amd_register_system_event_handler(ignore, NULL)) != HSA_STATUS_ERROR;
}
