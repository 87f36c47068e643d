/* What every part of the virtual driver uses.
 *
 * One lock guards everything in this process (state.h); what other processes see is in shared.h.
 * Handlers of ioctls run with the lock held, and return 0 or an errno. Threads of queues take it for
 * each access to memory, so that nothing is unmapped under them.
 */
#ifndef BASE_H
#define BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define PAGE 4096ull
#define PAGES(size) (((size) + PAGE - 1) & ~(PAGE - 1))
#define MAX_GPUS 16
#define NO_GPU (-1)
#define HOST MAX_GPUS /* the CPUs' memory, where memories are counted */

/* Of an ioctl; a table of them goes by its number. */
typedef int (*handler)(void *arguments);

#endif
