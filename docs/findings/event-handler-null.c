/* A handler of system events that is NULL is refused. */
#include "finding.h"

FUNCTION(int, hsa_amd_register_system_event_handler,
         (int (*handler)(const void *event, void *data), void *data), (handler, data))

int main(int count, char **words)
{
    start(count, words);
    return STATUS_OF(hsa_amd_register_system_event_handler(NULL, NULL)) !=
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
