/* Descriptions of statuses. */
#include "internal.h"

static const struct {
    hsa_status_t status;
    const char *text;
} TEXTS[] = {
    {HSA_STATUS_SUCCESS, "success"},
    {HSA_STATUS_INFO_BREAK, "the application ended the traversal"},
    {HSA_STATUS_ERROR, "error"},
    {HSA_STATUS_ERROR_INVALID_ARGUMENT, "an argument is invalid"},
    {HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, "the agent has no such queue"},
    {HSA_STATUS_ERROR_INVALID_ALLOCATION, "the region has no such allocation"},
    {HSA_STATUS_ERROR_INVALID_AGENT, "there is no such agent"},
    {HSA_STATUS_ERROR_INVALID_REGION, "there is no such region"},
    {HSA_STATUS_ERROR_INVALID_SIGNAL, "there is no such signal"},
    {HSA_STATUS_ERROR_INVALID_QUEUE, "there is no such queue"},
    {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "out of resources"},
    {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "a packet is malformed"},
    {HSA_STATUS_ERROR_RESOURCE_FREE, "a resource could not be released"},
    {HSA_STATUS_ERROR_NOT_INITIALIZED, "the runtime is not initialised"},
    {HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "too many references"},
    {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "the arguments do not fit each other"},
    {HSA_STATUS_ERROR_INVALID_INDEX, "the index is out of range"},
    {HSA_STATUS_ERROR_INVALID_ISA, "there is no such instruction set"},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "there is no such code object"},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE, "there is no such executable"},
    {HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "the executable is frozen"},
    {HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "no symbol has that name"},
    {HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED, "the variable is defined already"},
    {HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "the variable is not defined"},
    {HSA_STATUS_ERROR_EXCEPTION, "a kernel raised an exception"},
    {HSA_STATUS_ERROR_INVALID_ISA_NAME, "no instruction set has that name"},
};

hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!status_string)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (TEXTS[i].status == status) {
            *status_string = TEXTS[i].text;
            return HSA_STATUS_SUCCESS;
        }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
