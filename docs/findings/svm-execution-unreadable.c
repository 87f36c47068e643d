/* Whether GPUs may execute a range can be set, and has to be told. */
#include "finding.h"

enum { HSA_AMD_SVM_ATTRIB_GPU_EXEC = 7 };

typedef struct {
    uint64_t attribute, value;
} hsa_amd_svm_attribute_pair_t;

FUNCTION(int, hsa_amd_svm_attributes_set,
         (void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count),
         (memory, size, list, count))
FUNCTION(int, hsa_amd_svm_attributes_get,
         (void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count),
         (memory, size, list, count))

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
