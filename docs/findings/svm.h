/* Attributes and prefetches of ranges, for the programs about hsa_amd_svm_*. */
#ifndef SVM_H
#define SVM_H

#include "finding.h"

enum { PAGE = 4096 };

typedef struct {
    uint64_t attribute, value;
} hsa_amd_svm_attribute_pair_t;

FUNCTION(int, hsa_amd_svm_attributes_set,
         (void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count),
         (memory, size, list, count))
FUNCTION(int, hsa_amd_svm_attributes_get,
         (void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count),
         (memory, size, list, count))
FUNCTION(int, hsa_amd_svm_prefetch_async,
         (void *memory, size_t size, hsa_agent_t agent, uint32_t count,
          const hsa_signal_t *dependencies, hsa_signal_t done),
         (memory, size, agent, count, dependencies, done))

/* The first whole page of some memory. */
static inline char *page_in(char *memory)
{
    return memory + PAGE - (uintptr_t)memory % PAGE;
}

#endif
