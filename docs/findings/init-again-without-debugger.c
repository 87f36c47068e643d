/* After the last hsa_shut_down, hsa_init has to work again.
 *
 * usage: init-again-without-debugger [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANNOT_TELL = 77, TIMES = 3 };

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static void need(const char *name, int (**function)(void))
{
    void *found = dlsym(library, name);

    if (!found)
        cannot_tell(name);
    memcpy(function, &found, sizeof found);
}

int main(int count, char **words)
{
    int (*init)(void), (*shut_down)(void);

    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
    need("hsa_init", &init);
    need("hsa_shut_down", &shut_down);
    if (init())
        cannot_tell("the first hsa_init fails: no driver, no GPU");
    for (int time = 0; time < TIMES; time++) {
        if (shut_down())
            cannot_tell("hsa_shut_down fails");
        int status = init();
        if (status) {
            printf("hsa_init after hsa_shut_down: status %#x\n", (unsigned)status);
            return 1;
        }
    }
    puts("hsa_init works again after hsa_shut_down");
    return 0;
}
