/* A number that is no extension is refused as an invalid argument.
 *
 * usage: extension-number-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANNOT_TELL = 77, INVALID_ARGUMENT = 0x1001, UNKNOWN = 0x7ff0,
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

int main(int count, char **words)
{
    int (*has_major)(uint16_t, uint16_t, uint16_t *, _Bool *);
    int (*table_of)(uint16_t, uint16_t, size_t, void *);
    void *table[64] = {0};
    uint16_t minor = 0;
    _Bool result = 0;
    int asked, got;

    load(count, words);
    initialise();
    need("hsa_system_major_extension_supported", &has_major);
    need("hsa_system_get_major_extension_table", &table_of);
    asked = has_major(UNKNOWN, 1, &minor, &result);
    got = table_of(UNKNOWN, 1, sizeof table, table);
    printf("supported: %#x, table: %#x\n", asked, got);
    return asked != INVALID_ARGUMENT || got != INVALID_ARGUMENT;
}
