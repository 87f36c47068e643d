/* An output that is NULL has to be refused, and not to end the process. */
#include "finding.h"

FUNCTION(int, hsa_amd_spm_set_dest_buffer,
         (hsa_agent_t agent, size_t size, uint32_t *timeout, uint32_t *copied, void *buffer,
          bool *lost),
         (agent, size, timeout, copied, buffer, lost))

static hsa_agent_t gpu(void)
{
    initialise();
    return agent_of(HSA_DEVICE_TYPE_GPU);
}

static uint32_t timeout, copied;
static bool lost;

static int no_timeout(void)
{
    STATUS_OF(hsa_amd_spm_set_dest_buffer(gpu(), 0, NULL, &copied, NULL, &lost));
    return NO_DEFECT;
}

static int no_count(void)
{
    STATUS_OF(hsa_amd_spm_set_dest_buffer(gpu(), 0, &timeout, NULL, NULL, &lost));
    return NO_DEFECT;
}

static int no_loss(void)
{
    STATUS_OF(hsa_amd_spm_set_dest_buffer(gpu(), 0, &timeout, &copied, NULL, NULL));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(no_timeout, no_count, no_loss);
}
