/* The machine that is imitated, read once from the folder that HSA_VIRTUAL_KFD names. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/machine.h"

static struct machine described;
static bool present;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static ino_t inode_of(const char *name)
{
    char path[sizeof described.folder + 64];
    struct stat found;

    snprintf(path, sizeof path, "%s/dev/%s", described.folder, name);
    int descriptor = kernel_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (descriptor < 0)
        return 0;
    bool known = !fstat(descriptor, &found);
    close(descriptor);
    described.device = known ? found.st_dev : 0;
    return known ? found.st_ino : 0;
}

static void read_line(const char *line)
{
    struct gpu gpu = {0};
    char render[32];
    unsigned value;

    if (sscanf(line, "interface %u %u", &described.major, &described.minor) == 2 ||
        sscanf(line, "host_memory %lu", &described.host_memory) == 1 ||
        sscanf(line, "lds %lu", &described.lds) == 1)
        return;
    if (sscanf(line, "xnack %u", &value) == 1)
        described.xnack = value;
    else if (sscanf(line, "svm %u", &value) == 1)
        described.svm = value;
    else if (sscanf(line, "peers %u", &value) == 1)
        described.peers = value;
    else if (sscanf(line, "otherwise %u", &value) == 1)
        described.otherwise = value;
    else if (sscanf(line, "executes %u", &value) == 1)
        described.executes = value;
    else if (sscanf(line, "slow_queue_us %u", &value) == 1)
        described.slow_queue_us = value;
    else if (sscanf(line, "late_event_us %u", &value) == 1)
        described.late_event_us = value;
    else if (sscanf(line, "gpu %u %d %lu %lu %u %u %u %u %u %63[^\n]", &gpu.id, &gpu.minor,
                    &gpu.memory, &gpu.visible, &gpu.family, &gpu.integrated, &gpu.counter_khz,
                    &gpu.queues, &gpu.reclaiming, gpu.name) == 10 &&
             described.gpus < MAX_GPUS) {
        snprintf(render, sizeof render, "dri/renderD%d", gpu.minor);
        gpu.inode = inode_of(render);
        described.gpu[described.gpus++] = gpu;
    }
}

static void read_machine(void)
{
    const char *folder = getenv("HSA_VIRTUAL_KFD");
    char path[sizeof described.folder + 16], text[8192];

    if (!folder || !*folder)
        return;
    if (strlen(folder) >= sizeof described.folder) {
        fputs("virtual KFD: the name in HSA_VIRTUAL_KFD is too long\n", stderr);
        return;
    }
    strcpy(described.folder, folder);
    snprintf(path, sizeof path, "%s/machine", folder);
    int descriptor = kernel_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t length = descriptor < 0 ? -1 : read(descriptor, text, sizeof text - 1);
    if (descriptor >= 0)
        close(descriptor);
    if (length < 0) {
        fprintf(stderr, "virtual KFD: %s cannot be read; make it with hsa-conformance\n", path);
        return;
    }
    text[length] = 0;
    described.paths_only = getenv("HSA_VIRTUAL_KFD_PATHS_ONLY") != NULL;
    described.inode = inode_of("kfd");
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        read_line(line);
    present = true;
}

const struct machine *machine(void)
{
    pthread_once(&once, read_machine);
    return present ? &described : NULL;
}

uint64_t either(uint64_t usual, uint64_t other)
{
    return machine()->otherwise ? other : usual;
}

int errno_of_refusal(int error)
{
    return error == EINVAL ? (int)either(EINVAL, EPERM) : error;
}

int gpu_by_id(uint32_t id)
{
    for (int gpu = 0; gpu < machine()->gpus; gpu++)
        if (machine()->gpu[gpu].id == id)
            return gpu;
    return NO_GPU;
}

/* A descriptor is known by the file that it is of, so copies of it need no book-keeping. */
static bool is_node(int descriptor, ino_t node)
{
    struct stat found;

    return node && descriptor >= 0 && !fstat(descriptor, &found) && found.st_ino == node &&
           found.st_dev == machine()->device;
}

bool is_kfd(int descriptor)
{
    return machine() && !machine()->paths_only && is_node(descriptor, machine()->inode);
}

int gpu_of_descriptor(int descriptor)
{
    if (machine() && !machine()->paths_only)
        for (int gpu = 0; gpu < machine()->gpus; gpu++)
            if (is_node(descriptor, machine()->gpu[gpu].inode))
                return gpu;
    return NO_GPU;
}

static void write_down(const char *file, const char *text, int length)
{
    char path[sizeof described.folder + 16];

    snprintf(path, sizeof path, "%s/%s", machine()->folder, file);
    int descriptor = kernel_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        if (write(descriptor, text, length) != length)
            fputs("virtual KFD: the next complaint is not in its file\n", stderr);
        close(descriptor);
    }
    fputs(text, stderr);
}

void complain(const char *what, uint64_t which)
{
    char text[256];

    int length = snprintf(text, sizeof text, "virtual KFD: %s 0x%lx is not imitated (process %d)\n",
                          what, (unsigned long)which, getpid());
    write_down("complaints", text, length);
}

void tell_lacking(const char *what, size_t length)
{
    char text[2048];

    if (length > sizeof text / 2)
        length = sizeof text / 2;
    int written = snprintf(text, sizeof text, "virtual KFD: %.*s (process %d)\n", (int)length, what,
                           getpid());
    write_down("lacking", text, written);
}
