/* Flags that are NULL do not end the process. */
#include "finding.h"

FUNCTION(int, hsa_amd_enable_logging, (uint8_t *flags, void *file), (flags, file))

static int defect(void)
{
    initialise();
    STATUS_OF(hsa_amd_enable_logging(NULL, NULL));
    fflush(stdout);
    _exit(NO_DEFECT);
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_enable_logging");
    return survive(defect);
}
