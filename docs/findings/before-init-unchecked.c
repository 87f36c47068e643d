/* A call before hsa_init has to be refused as such, and not to succeed. */
#include "finding.h"

FUNCTION(int, hsa_amd_portable_close_dmabuf, (int descriptor), (descriptor))
FUNCTION(int, hsa_amd_enable_logging, (uint8_t *flags, void *file), (flags, file))

static int close_dmabuf(void) /* from 5.6 on */
{
    return STATUS_OF(hsa_amd_portable_close_dmabuf(ordinary_file())) !=
           HSA_STATUS_ERROR_NOT_INITIALIZED;
}

static int enable_logging(void) /* from interface 1.7 on */
{
    uint8_t no_flags[8] = {0};

    return STATUS_OF(hsa_amd_enable_logging(no_flags, NULL)) != HSA_STATUS_ERROR_NOT_INITIALIZED;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(close_dmabuf, enable_logging);
}
