/* Failures that a test asks for. */
#ifndef FAULTS_H
#define FAULTS_H

/* Return the errno that this call has to fail with, or 0; with the lock held. */
int injected(int number);
#define INJECT_MMAP 0x101
#define INJECT_DRM 0x102

#endif
