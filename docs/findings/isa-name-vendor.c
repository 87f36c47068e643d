/* The name of an instruction set architecture starts with a vendor and a colon. */
#include "finding.h"

enum { HSA_ISA_INFO_NAME = 1 };

FUNCTION(int, hsa_agent_iterate_isas, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_isa_get_info_alt, (hsa_isa_t isa, int attribute, void *value),
         (isa, attribute, value))
FUNCTION(int, hsa_isa_from_name, (const char *name, hsa_isa_t *isa), (name, isa))

static int first(hsa_isa_t isa, void *data)
{
    *(hsa_isa_t *)data = isa;
    return HSA_STATUS_INFO_BREAK;
}

int main(int count, char **words)
{
    hsa_isa_t isa = {0};
    char name[1024] = "";
    size_t vendor;

    start(count, words);
    hsa_agent_iterate_isas(agent_of(HSA_DEVICE_TYPE_GPU), first, &isa);
    if (!isa.handle || hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name))
        cannot_tell("the GPU has no named instruction set architecture");
    printf("%s\n", name);
    vendor = strcspn(name, ":-");
    return STATUS_OF(hsa_isa_from_name(name, &isa)) == HSA_STATUS_SUCCESS &&
           (vendor == 0 || name[vendor] != ':');
}
