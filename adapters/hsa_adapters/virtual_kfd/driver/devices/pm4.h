/* Command buffers that an AQL packet points to. */
#ifndef PM4_H
#define PM4_H

#include "base/base.h"

/* What became of a buffer. PM4_UNKNOWN: it asks for what is not imitated. */
enum pm4 { PM4_DONE, PM4_UNKNOWN, PM4_FAULT };

/* Return whether the commands of a packet are a jump to a buffer. */
bool pm4_is_buffer(const uint32_t jump[4]);
enum pm4 pm4_run(int gpu, const uint32_t jump[4]);

#endif
