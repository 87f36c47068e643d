/* Driver calls that the imitated machine refuses, for the programs that run out of something. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "finding.h"
#include <errno.h>
#include <fcntl.h>

/* Numbers of ioctls of the driver, and those that the imitation gives functions of libdrm. */
enum { CREATE_QUEUE = 0x02, DESTROY_QUEUE = 0x03, ACQUIRE_VM = 0x15, ALLOC_MEMORY_OF_GPU = 0x16 };
enum { FREE_MEMORY_OF_GPU = 0x17, MAP_MEMORY_TO_GPU = 0x18, IMPORT_DMABUF = 0x1D, SVM = 0x20 };
enum { IPC_IMPORT_HANDLE = 0x80, PTHREAD_CREATE = 0x106 };
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

/* Run in a child of its own for each call of a kind that it makes, which `after` counts: a defect if
 * one of them ends the process where it is refused. */
static inline int survive_each(body *body, int32_t *after)
{
    enum { MOST = 16, SECONDS = 5 };

    for (*after = 0; *after < MOST; ++*after) {
        int status = run(body, SECONDS);

        if (status == CANNOT_TELL)
            return CANNOT_TELL;
        if (!refused())
            break;
        if (status > 128 && status != 128 + SIGALRM)
            return DEFECT;
    }
    return NO_DEFECT;
}

/* How many files this process has open. */
static inline int open_files(void)
{
    int count = 0;

    for (int file = 0; file < 1024; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

/* How many mappings of memory it has. */
static inline int mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int lines = 0, letter;

    if (!file)
        cannot_tell("/proc/self/maps");
    while ((letter = getc(file)) != EOF)
        lines += letter == '\n';
    fclose(file);
    return lines;
}

#endif
