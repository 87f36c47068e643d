/* A descriptor that is no memory has to be refused with a status that fits.
 *
 * usage: import-refused-status [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool, or virtual memory: all have this form */

enum {
    CANNOT_TELL = 77, VIRTUAL_MEMORY_SUPPORTED = 0x205, GPU = 1, INVALID_ARGUMENT = 0x1001,
    INVALID_ALLOCATION = 0x1003,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static int find(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (found)
        memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void need(const char *name, void *function)
{
    if (!find(name, function))
        cannot_tell(name);
}

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

static void initialise(void)
{
    int (*init)(void);

    need("hsa_init", &init);
    if (init())
        cannot_tell("hsa_init fails: is there a GPU?");
}

static void need_virtual_memory(void)
{
    int (*system_info)(uint32_t, void *);
    bool supported = false;

    need("hsa_system_get_info", &system_info);
    if (system_info(VIRTUAL_MEMORY_SUPPORTED, &supported) || !supported)
        cannot_tell("no virtual memory");
}

/* A descriptor of an ordinary file, which stands for no memory of a GPU. */
static int ordinary_file(void)
{
    char name[] = "/tmp/finding-XXXXXX";
    int file = mkstemp(name);

    if (file < 0)
        cannot_tell("no file");
    unlink(name);
    return file;
}

int main(int count, char **words)
{
    int (*import)(int, handle *);
    handle memory;
    int status;

    load(count, words);
    initialise();
    need_virtual_memory();
    need("hsa_amd_vmem_import_shareable_handle", &import);
    status = import(ordinary_file(), &memory);
    printf("status %#x\n", (unsigned)status);
    return status != INVALID_ALLOCATION && status != INVALID_ARGUMENT;
}
