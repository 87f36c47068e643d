/* A call before hsa_init has to be refused as such, and not to succeed.
 *
 * usage: before-init-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CANNOT_TELL = 77, NOT_INITIALIZED = 0x100b,
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

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

/* A descriptor of an ordinary file: only the runtime can make one of a GPU's memory. */
static int ordinary_file(void)
{
    char name[] = "/tmp/finding-XXXXXX";
    int file = mkstemp(name);

    if (file < 0)
        cannot_tell("no file");
    unlink(name);
    return file;
}

static int told(const char *function, int status)
{
    printf("%s: status %#x\n", function, (unsigned)status);
    return status != NOT_INITIALIZED;
}

int main(int count, char **words)
{
    int (*close_buffer)(int);
    int (*enable_logging)(uint8_t *, void *);
    uint8_t no_flags[8] = {0};
    int defects = 0, judged = 0;

    load(count, words);
    if (find("hsa_amd_portable_close_dmabuf", &close_buffer)) { /* from 5.6 on */
        defects += told("hsa_amd_portable_close_dmabuf", close_buffer(ordinary_file()));
        judged++;
    }
    if (find("hsa_amd_enable_logging", &enable_logging)) { /* from interface 1.7 on */
        defects += told("hsa_amd_enable_logging", enable_logging(no_flags, NULL));
        judged++;
    }
    if (!judged)
        cannot_tell("neither of the functions");
    return defects > 0;
}
