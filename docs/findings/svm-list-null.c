/* Attributes in a list at NULL have to be refused. */
#include "finding.h"

FUNCTION(int, hsa_amd_svm_attributes_set, (void *memory, size_t size, void *list, size_t count),
         (memory, size, list, count))
FUNCTION(int, hsa_amd_svm_attributes_get, (void *memory, size_t size, void *list, size_t count),
         (memory, size, list, count))

static char memory[4096];

static int set(void)
{
    initialise();
    return !STATUS_OF(hsa_amd_svm_attributes_set(memory, sizeof memory, NULL, 1));
}

static int get(void)
{
    initialise();
    return !STATUS_OF(hsa_amd_svm_attributes_get(memory, sizeof memory, NULL, 1));
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(set, get);
}
