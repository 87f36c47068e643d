/* Pages of doorbells, where the program rings for queues. */
#ifndef DOORBELLS_H
#define DOORBELLS_H

#include "base/base.h"

#define DOORBELL_BYTES 8192u
/* The page of a GPU, and its file where `memfd` is not NULL; NULL where there is no room. */
uint8_t *doorbells(int gpu, int *memfd);

#endif
