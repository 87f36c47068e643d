/* Driver calls that the imitated machine refuses, for the programs that run out of something. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "finding.h"
#include <errno.h>
#include <fcntl.h>

/* Numbers of ioctls of the driver, and those that the imitation gives functions of libdrm. */
enum { ACQUIRE_VM = 0x15, ALLOC_MEMORY_OF_GPU = 0x16, MAP_MEMORY_TO_GPU = 0x18 };
enum { AMDGPU_DEVICE_INITIALIZE = 0x107, AMDGPU_BO_IMPORT = 0x108 };

/* What is to be refused: the first member of the machine's shared file. */
struct refusal {
    int32_t call, after, error, met, lasting;
};

static inline int machine(void)
{
    const char *folder = getenv("HSA_VIRTUAL_KFD");
    char path[4096];
    int file;

    if (!folder)
        cannot_tell("no imitated machine, whose driver could refuse something");
    snprintf(path, sizeof path, "%s/shared", folder);
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        cannot_tell(path);
    return file;
}

static inline void refuse(struct refusal refusal)
{
    int file = machine();

    if (pwrite(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver cannot be asked to refuse a call");
    close(file);
}

/* Let nothing be refused any more, and return whether something was. */
static inline bool refused(void)
{
    struct refusal refusal;
    int file = machine();

    if (pread(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver does not say what it refused");
    close(file);
    refuse((struct refusal){0});
    return refusal.met;
}

#endif
