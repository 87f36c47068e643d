/* Executables, for the programs about hsa_executable_*. */
#ifndef EXECUTABLES_H
#define EXECUTABLES_H

#include "finding.h"

typedef handle hsa_executable_t, hsa_executable_symbol_t, hsa_code_object_reader_t;

enum { HSA_PROFILE_BASE = 0, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR = 2 };

FUNCTION(int, hsa_executable_create_alt,
         (int profile, int rounding, const char *options, hsa_executable_t *executable),
         (profile, rounding, options, executable))

static inline hsa_executable_t new_executable(void)
{
    hsa_executable_t executable;

    if (hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL,
                                  &executable))
        cannot_tell("no executable");
    return executable;
}

#endif
