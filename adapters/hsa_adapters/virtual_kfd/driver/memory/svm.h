/* Attributes of shared virtual memory. */
#ifndef SVM_H
#define SVM_H

#include "base/base.h"
#include "base/kfd.h"

bool svm_reaches(int gpu, uint64_t address);
/* The program has unmapped memory, and attributes go with it. */
void svm_unmapped(uint64_t address, uint64_t size);

size_t svm_count(void);

extern const handler svm_ioctls[KFD_IOCTLS];

#endif
