/* A variable cannot be defined for an agent that does not exist.
 *
 * usage: executable-agents-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, an executable, a reader or a symbol: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, BASE = 0, NEAR = 2,
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
    static uint64_t memory[64];
    int (*create)(int, int, const char *, handle *);
    int (*define)(handle, handle, const char *, void *);
    handle executable, nobody = {0};
    int status;

    load(count, words);
    initialise();
    need("hsa_executable_create_alt", &create);
    need("hsa_executable_agent_global_variable_define", &define);
    if (create(BASE, NEAR, NULL, &executable))
        cannot_tell("no executable");
    status = define(executable, nobody, "apart", memory);
    printf("agent 0: status %#x\n", (unsigned)status);
    return status == SUCCESS;
}
