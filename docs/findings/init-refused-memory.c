/* When the driver has no memory for hsa_init, this is what it has to say, and not to end the process.
 *
 * usage: hsa-conformance virtual-kfd run -- init-refused-memory [LIBRARY]    (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CANNOT_TELL = 77, OUT_OF_RESOURCES = 0x1008,
    MAP_MEMORY_TO_GPU = 0x18, LIBDRM = 0x102,
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

/* Run in a child, which may be killed: return its exit status, or 1 if a signal ended it. */
static int survive(int (*body)(void))
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(60);
        exit(body());
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGALRM)
        cannot_tell("the call did not come back");
    printf("the process was ended by signal %d\n", WTERMSIG(status));
    return 1;
}

/* What the imitated driver has to refuse; the first member of a file of its machine. */
struct refusal {
    int32_t call, after, error, met;
};

static int machine(void)
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

static void refuse(int32_t call, int32_t after, int32_t error)
{
    struct refusal refusal = {call, after, error, 0};
    int file = machine();

    if (pwrite(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver cannot be told what to refuse");
    close(file);
}

/* Let nothing be refused any more, and tell whether something was. */
static int refused(void)
{
    struct refusal refusal = {0, 0, 0, 0};
    int file = machine();

    if (pread(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver does not tell what it refused");
    close(file);
    refuse(0, 0, 0);
    return refusal.met;
}

static int body(void)
{
    int (*init)(void);
    int status;

    need("hsa_init", &init);
    status = init();
    printf("status %#x\n", (unsigned)status);
    return status && status != OUT_OF_RESOURCES;
}

/* Refuse one call of the kind after the other. */
static int each(int32_t call)
{
    int found = 0, met = 1;

    for (int after = 0; met; after++) {
        refuse(call, after, ENOMEM);
        printf("call %#x, number %d refused: ", (unsigned)call, after + 1);
        found |= survive(body);
        met = refused();
    }
    return found;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = each(MAP_MEMORY_TO_GPU);
    found |= each(LIBDRM);
    return found;
}
