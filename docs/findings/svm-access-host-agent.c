/* How a host agent may access a range is told as it was set. */
#include "svm.h"

enum {
    HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE = 0x200,
    HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE = 0x201,
    HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS = 0x202,
    HSA_AMD_SVM_ATTRIB_ACCESS_QUERY = 0x203,
};

static char memory[2 * PAGE];

static bool told_as_set(char *page, hsa_agent_t agent, uint64_t access)
{
    hsa_amd_svm_attribute_pair_t pair = {access, agent.handle};
    hsa_amd_svm_attribute_pair_t query = {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, agent.handle};
    hsa_amd_svm_attribute_pair_t again = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, agent.handle};

    if (hsa_amd_svm_attributes_set(page, PAGE, &pair, 1) ||
        hsa_amd_svm_attributes_get(page, PAGE, &query, 1) ||
        hsa_amd_svm_attributes_set(page, PAGE, &again, 1))
        cannot_tell("access cannot be set and asked for");
    printf("set %#llx, told %#llx\n", (unsigned long long)access,
           (unsigned long long)query.attribute);
    return query.attribute == access;
}

int main(int count, char **words)
{
    char *page = page_in(memory);

    start(count, words);
    hsa_agent_t cpu = agent_of(HSA_DEVICE_TYPE_CPU);
    bool in_place = told_as_set(page, cpu, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
    bool none = told_as_set(page, cpu, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
    return !(in_place && none);
}
