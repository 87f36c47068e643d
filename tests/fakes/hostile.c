/* Honest, but for what one function does to its own process.
 *
 * FAKE_IN      name of the function
 * FAKE_HOW     one of the ways below, by its name
 */
static void harm(const char *function);
static void go_on(const char *function);
#define FAKE_BEFORE(name) (go_on(name), harm(name))
#include "honest.c"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#define WAY(name) __attribute__((unused)) static void name(void)
#define HELP __attribute__((unused)) static

static jmp_buf gone;

__attribute__((unused, noinline)) static int remember(void)
{
    return setjmp(gone);
}

HELP void each_mapping(const char *of, void (*act)(char *, size_t))
{
    static struct { char *start, *end; } found[64];
    char line[512], *at;
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (count < 64 && fgets(line, sizeof line, maps))
        if (strstr(line, of)) {
            found[count].start = (char *)strtoul(line, &at, 16);
            found[count++].end = (char *)strtoul(at + 1, NULL, 16);
        }
    while (count--)
        act(found[count].start, (size_t)(found[count].end - found[count].start));
}

HELP void unmap(char *start, size_t size)
{
    munmap(start, size);
}

HELP void scribble(char *start, size_t size)
{
    memset(start, 0x5a, size);
}

HELP void lower(int resource, rlim_t most)
{
    struct rlimit limit;
    getrlimit(resource, &limit);
    limit.rlim_cur = most;
    setrlimit(resource, &limit);
}

HELP void forbid(unsigned call, unsigned outcome)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, outcome),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Let a function of the C library return 0. */
HELP void patch(uintptr_t function)
{
    static const unsigned char nothing[] = {0x31, 0xc0, 0xc3};
    mprotect((void *)(function & -PAGE), 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy((void *)function, nothing, sizeof nothing);
}

WAY(exits) { exit(0); }
WAY(leaves) { _exit(0); }
WAY(aborts) { abort(); }
WAY(kills) { raise(SIGKILL); }
WAY(stops) { raise(SIGSTOP); }
WAY(traced) { ptrace(PTRACE_TRACEME, 0, NULL, NULL); raise(SIGUSR2); }
WAY(jumps) { remember(); longjmp(gone, 1); }
WAY(ends_thread) { pthread_exit(NULL); }
WAY(executes) { execl("/bin/true", "true", (char *)NULL); }
WAY(scribbles) { each_mapping("[heap]", scribble); }
WAY(unmaps) { each_mapping("/dev/zero (deleted)", unmap); }
WAY(closes) { syscall(SYS_close_range, 0, ~0U, 0); }
WAY(no_descriptors) { lower(RLIMIT_NOFILE, 0); }
WAY(few_descriptors) { lower(RLIMIT_NOFILE, 512); }
WAY(no_malloc) { patch((uintptr_t)malloc); patch((uintptr_t)calloc); patch((uintptr_t)realloc); }
WAY(no_write) { patch((uintptr_t)write); }
WAY(filters) { forbid(SYS_acct, SECCOMP_RET_ERRNO | 1); }
WAY(filters_write) { forbid(SYS_write, SECCOMP_RET_ERRNO | 1); }
WAY(dies_of_write) { forbid(SYS_write, SECCOMP_RET_KILL_PROCESS); }
WAY(ignores) { signal(SIGUSR1, SIG_IGN); }
WAY(blocks) { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); }
WAY(masks) { umask(0777); }

/* What ends the process later, when the call has returned. */
HELP void *in_a_moment(void *unused)
{
    usleep(50000);
    _exit(0);
    return unused;
}

HELP void *strikes_in_a_moment(void *unused)
{
    usleep(50000);
    *(volatile int *)8 = 0;
    return unused;
}

/* What ends the process during the next call of another function. */
static volatile int armed, called;

HELP void *in_the_next_call(void *unused)
{
    while (!called)
        usleep(1000);
    *(volatile int *)8 = 0;
    return unused;
}

static void go_on(const char *function)
{
    if (armed && strcmp(function, FAKE_IN)) {
        called = 1;
        sleep(1);
    }
}

WAY(ends_the_next)
{
    pthread_t thread;
    armed = !pthread_create(&thread, NULL, in_the_next_call, NULL);
}

WAY(leaves_later) { pthread_t thread; pthread_create(&thread, NULL, in_a_moment, NULL); }
WAY(strikes_later) { pthread_t thread; pthread_create(&thread, NULL, strikes_in_a_moment, NULL); }
WAY(sets_alarm)
{
    static int set;
    struct itimerval soon = {{0, 0}, {0, 50000}};
    if (!set++) /* by each call anew, it would not end before the last one */
        setitimer(ITIMER_REAL, &soon, NULL);
}
WAY(kills_parent) { kill(getppid(), SIGKILL); }
WAY(stops_parent) { kill(getppid(), SIGSTOP); }
WAY(kills_group_of_parent) { kill(-getpgid(getppid()), SIGKILL); }
WAY(changes_root) { if (!chroot("/proc/self/fdinfo") && chdir("/")) abort(); }
WAY(never_blocks)
{
    for (int file = 0; file < 20000; file++) {
        int flags = fcntl(file, F_GETFL);
        if (flags >= 0)
            fcntl(file, F_SETFL, flags | O_NONBLOCK);
    }
}

static void harm(const char *function)
{
    if (!strcmp(function, FAKE_IN))
        FAKE_HOW();
}
