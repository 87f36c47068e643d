/* A handler of system events that is NULL is refused.
 *
 * usage: event-handler-null [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANNOT_TELL = 77, INVALID_ARGUMENT = 0x1001,
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
    int (*set_handler)(int (*)(const void *, void *), void *);
    int answer;

    load(count, words);
    initialise();
    need("hsa_amd_register_system_event_handler", &set_handler);
    answer = set_handler(NULL, NULL);
    printf("answer %#x\n", answer);
    return answer != INVALID_ARGUMENT;
}
