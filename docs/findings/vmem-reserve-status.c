/* A size of no whole pages, or a bad alignment, is an invalid argument: resources are not short.
 *
 * usage: vmem-reserve-status [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
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

static int defects;

static void check(const char *what, int status)
{
    printf("%s: status %#x\n", what, (unsigned)status);
    defects += status != INVALID_ARGUMENT;
}

int main(int count, char **words)
{
    int (*reserve)(void **, size_t, uint64_t, uint64_t);
    int (*aligned)(void **, size_t, uint64_t, uint64_t, uint64_t);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *va;

    load(count, words);
    initialise();
    need_virtual_memory();
    need("hsa_amd_vmem_address_reserve", &reserve);
    check("a page and a byte", reserve(&va, page + 1, 0, 0));
    if (find("hsa_amd_vmem_address_reserve_align", &aligned)) {
        check("a page and a byte, aligned", aligned(&va, page + 1, 0, 0, 0));
        check("aligned to three pages", aligned(&va, page, 0, 3 * page, 0));
        check("aligned to one byte", aligned(&va, page, 0, 1, 0));
    }
    return defects > 0;
}
