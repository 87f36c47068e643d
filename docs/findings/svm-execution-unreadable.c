/* Whether GPUs may execute a range can be set, and has to be told. */
#include "svm.h"

enum { HSA_AMD_SVM_ATTRIB_GPU_EXEC = 7 };

int main(int count, char **words)
{
    static char memory[8192];
    hsa_amd_svm_attribute_pair_t pair = {HSA_AMD_SVM_ATTRIB_GPU_EXEC, 1};

    start(count, words);
    if (hsa_amd_svm_attributes_set(memory, sizeof memory, &pair, 1))
        cannot_tell("the attribute cannot be set");
    pair.value = 0;
    return STATUS_OF(hsa_amd_svm_attributes_get(memory, sizeof memory, &pair, 1)) || !pair.value;
}
