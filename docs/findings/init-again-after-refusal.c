/* After hsa_init has failed for want of memory it has to succeed when there is memory again.
 *
 * usage: hsa-conformance virtual-kfd run -- init-again-after-refusal [LIBRARY]    (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, ACQUIRE_VM = 0x15, ALLOC_MEMORY_OF_GPU = 0x16, LIBDRM = 0x102,
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
    int32_t call, after, error, met, lasting;
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

static void refuse(int32_t call, int32_t error, int32_t lasting)
{
    struct refusal refusal = {call, 0, error, 0, lasting};
    int file = machine();

    if (pwrite(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver cannot be told what to refuse");
    close(file);
}

/* Let nothing be refused any more, and tell whether something was. */
static int refused(void)
{
    struct refusal refusal = {0, 0, 0, 0, 0};
    int file = machine();

    if (pread(file, &refusal, sizeof refusal, 0) != sizeof refusal)
        cannot_tell("the driver does not tell what it refused");
    close(file);
    refuse(0, 0, 0);
    return refusal.met;
}

static int32_t call, lasting;

static int body(void)
{
    int (*init)(void);
    int first, second;

    need("hsa_init", &init);
    refuse(call, ENOMEM, lasting);
    first = init();
    if (!refused())
        return 0;
    second = first ? init() : 0;
    printf("call %#x refused: status %#x, and then %#x\n", (unsigned)call, (unsigned)first,
           (unsigned)second);
    return second != 0;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    call = ACQUIRE_VM;
    found = survive(body);
    call = LIBDRM;
    found |= survive(body);
    call = ALLOC_MEMORY_OF_GPU;
    lasting = 1;
    found |= survive(body);
    return found;
}
