/* Honest, but for what is there when a process is copied or ends: each macro is a fault.
 *
 * FAKE_ABORTS, FAKE_HANGS       at exit, while the runtime is initialised
 * FAKE_SHARES, FAKE_SPAWNS      shared memory, or a process, that hsa_shut_down alone takes away
 * FAKE_INHERITED                a descriptor that stays open when a program is executed
 * FAKE_THREAD                   a thread that runs after hsa_shut_down
 * FAKE_LOCKED, FAKE_FORGETS     a copy with a lock that nobody opens, or whose original ends
 * FAKE_GENERATIONS              a runtime that starts in a copy, but not in a copy of a copy
 * FAKE_NEVER_STARTS             a runtime that starts in no process
 */
static int begun(const char *name, int status);
#define FAKE_AFTER(name, status) begun((name), (status))
#include "honest.c"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int forks;
static pid_t spawned;
static char path[64];
static pthread_mutex_t crossing = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void)
{
#ifdef FAKE_LOCKED
    pthread_mutex_lock(&crossing);
#endif
}

static void after_fork(void)
{
#ifdef FAKE_LOCKED
    pthread_mutex_unlock(&crossing);
#endif
#ifdef FAKE_FORGETS
    references = 0;
#endif
}

static void in_copy(void)
{
    forks++;
#ifdef FAKE_LOCKED
    if (forks == 1)
        pthread_mutex_unlock(&crossing);
#endif
}

__attribute__((constructor)) static void follow(void)
{
    pthread_atfork(before_fork, after_fork, in_copy);
}

__attribute__((destructor)) static void finish(void)
{
    if (!references)
        return;
#ifdef FAKE_ABORTS
    abort();
#endif
#ifdef FAKE_HANGS
    for (;;)
        pause();
#endif
    if (forks > 1)
        pthread_mutex_lock(&crossing);
}

#ifdef FAKE_THREAD
static void *stay(void *nothing)
{
    for (;;)
        usleep(1000);
    return nothing;
}
#endif

static void start(void)
{
#ifdef FAKE_SHARES
    snprintf(path, sizeof path, "/dev/shm/fake-%d", (int)getpid());
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, 4096) ||
        mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED)
        abort();
    close(file);
#endif
#ifdef FAKE_SPAWNS
    spawned = fork();
    while (!spawned)
        pause();
#endif
#ifdef FAKE_INHERITED
    if (open("/dev/null", O_RDONLY) < 0)
        abort();
#endif
#ifdef FAKE_THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, stay, NULL);
#endif
}

static int begun(const char *name, int status)
{
    if (!strcmp(name, "hsa_init") && references == 1) {
#if defined FAKE_GENERATIONS || defined FAKE_NEVER_STARTS
#ifdef FAKE_GENERATIONS
        if (forks > 1)
#endif
        {
            references = 0;
            return OUT_OF_RESOURCES;
        }
#endif
        start();
    }
    if (!strcmp(name, "hsa_shut_down") && !references) {
        unlink(path);
        if (spawned) {
            kill(spawned, SIGKILL);
            waitpid(spawned, NULL, 0);
        }
    }
    return status;
}
