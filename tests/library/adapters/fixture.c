/* A library that does what a test asks for: right, wrong, and fatal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef uint32_t (*visitor)(uint64_t agent, void *data);
typedef void *(*allocator)(size_t size);

uint32_t fx_add(uint32_t a, uint32_t b) { return a + b; }
int32_t fx_minus(int32_t a) { return -a; }
typedef struct { uint64_t first, second, third; } pair_t;
uint64_t fx_mirror(pair_t pair, uint32_t scale) { return scale * (pair.first - pair.third); }
uint64_t fx_handle(uint64_t handle) { return handle; }
bool fx_not(bool a) { return !a; }
void fx_nothing(void) {}
uint32_t fx_store(uint64_t *out, uint64_t value) { *out = value; return 0; }
uint64_t fx_load(const uint64_t *in) { return *in; }
/* Wait until a number is another one, and return it. */
uint64_t fx_await(const volatile uint64_t *number, uint64_t other) {
  while (*number == other) usleep(1000);
  return *number;
}
void fx_add_to(uint64_t *number, int64_t more) { __atomic_fetch_add(number, more, 5); }
/* Read and write in two steps, which loses what comes between them. */
uint64_t fx_add_slowly(volatile uint64_t *number, uint64_t more) {
  uint64_t before = *number;
  for (volatile int i = 0; i < 100; i++) continue;
  *number = before + more;
  return before;
}
/* Tell in which order ten arguments come. */
uint64_t fx_digits(uint32_t a, uint64_t b, uint32_t c, uint64_t d, uint32_t e, uint64_t f,
                   uint32_t g, uint64_t h, uint32_t i, int32_t j) {
  uint64_t digits[] = {a, b, c, d, e, f, g, h, i, (uint64_t)-j};
  uint64_t all = 0;
  for (int n = 0; n < 10; n++) all = 10 * all + digits[n];
  return all;
}
int64_t fx_exchange(int64_t *number, int64_t other) {
  return __atomic_exchange_n(number, other, 5);
}
uint32_t fx_iterate(uint32_t count, visitor visit, void *data) {
  for (uint64_t i = 0; i < count; i++) {
    uint32_t status = visit(i + 1, data);
    if (status) return status;
  }
  return 0;
}
uint32_t fx_allocate(size_t size, allocator allocate, void **out) {
  *out = allocate(size);
  if (*out) memset(*out, 7, size);
  return *out == NULL;
}
void fx_print(const char *text) { printf("%s", text); }
void fx_abort(void) { fprintf(stderr, "about to abort\n"); abort(); }
void fx_exit(int32_t status) { exit(status); }
void fx_hang(void) { for (;;) usleep(1000000); }
void fx_spin(void) { for (;;) __asm__ volatile(""); }
void fx_set_variable(bool really) {
  if (really) setenv("FIXTURE", "set", 1);
}
/* Change much of the process, and hinder nothing. */
void fx_change(void) {
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, (void (*)(int))fx_nothing);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  umask(077);
  if (chdir("/") || setenv("FIXTURE", "changed", 1)) return;
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = 1ul << 46;
  setrlimit(RLIMIT_AS, &limit);
}
void fx_ignore(int32_t number) { signal(number, SIG_IGN); }
void fx_hide(void) { prctl(PR_SET_DUMPABLE, 0); ptrace(PTRACE_TRACEME); }
/* The environment of its arithmetic and of its texts, and of what it executes. */
void fx_change_environment(void) {
  __asm__ volatile("ldmxcsr %0" : : "m"((uint32_t){0x9f80}));
  __asm__ volatile("fldcw %0" : : "m"((uint16_t){0xb7f}));
  setlocale(LC_ALL, "C");
  clearenv();
}

/* Send a signal to the parent, or to its group. */
void fx_strike(int32_t with, bool group) { kill(group ? -getpgid(getppid()) : getppid(), with); }
/* Let a system call end the process: one that nobody makes, or one that opens files. */
void fx_forbid(bool opening) {
  struct sock_filter rules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, opening ? SYS_openat : SYS_acct, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {4, rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
/* Write into all memory that processes share. */
void fx_scribble(void) {
  unsigned long start, end;
  char rights[8], line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && !strcmp(rights, "rw-s"))
      memset((void *)start, 0xff, end - start);
  fclose(maps);
}
static void *asleep(void *unused) {
  for (;;) pause();
  return unused;
}
void fx_start_threads(uint32_t count) {
  pthread_t thread;
  while (count--) pthread_create(&thread, NULL, asleep, NULL);
}
void fx_flood(uint32_t size) {
  static const char line[1024];
  for (; size >= sizeof line; size -= sizeof line)
    if (write(1, line, sizeof line) < 0) return;
}
uint32_t fx_limit(void) { return (uint32_t)sysconf(_SC_OPEN_MAX); }
void fx_close(uint32_t from, uint32_t to) {
  for (uint32_t i = from; i <= to; i++) close((int)i);
}
void fx_close_all(void) { fx_close(0, fx_limit()); }
void fx_close_range(void) { syscall(SYS_close_range, 0u, ~0u, 0u); }
void fx_babble(uint32_t from, uint32_t to) {
  for (uint32_t i = from; i <= to; i++)
    if (write((int)i, "babble", 6) < 0) continue;
}
uint32_t fx_open_all(void) {
  uint32_t count = 0;
  while (open("/dev/null", O_RDONLY) >= 0) count++;
  return count;
}
void fx_terminate(void) { kill(getppid(), SIGTERM); kill(getppid(), SIGINT); kill(0, SIGTERM); }
uint32_t fx_fork(void) {
  pid_t child = fork();
  if (child == 0) {
    setsid();
    sleep(1000);
    _exit(0);
  }
  return (uint32_t)child;
}
/* Shared, so that it never becomes one with what lies beside it. */
uint64_t fx_map(void) {
  return (uint64_t)mmap(NULL, 1 << 16, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
/* Leave a file of shared memory, mapped, with the number of the process in its name. */
uint32_t fx_share(void) {
  char path[64];
  snprintf(path, sizeof path, "/dev/shm/fixture-%d", (int)getpid());
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, 4096)) return 1;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED;
}
static void hang_at_exit(void) { fx_hang(); }
/* Abort, or hang, when the process ends by exit. */
uint32_t fx_at_exit(uint32_t hang) { return (uint32_t)atexit(hang ? hang_at_exit : fx_abort); }
/* Sleep for some milliseconds; return how many are left when a signal ends that. */
uint32_t fx_sleep(uint32_t milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000}, left = {0, 0};
  nanosleep(&time, &left);
  return (uint32_t)(left.tv_sec * 1000 + left.tv_nsec / 1000000);
}
uint32_t fx_parent(void) { return (uint32_t)getppid(); }
uint32_t fx_random(void) { return (uint32_t)rand(); }

/* Fill a table of functions, as far as there is room. */
uint32_t fx_table(void **table, size_t size) {
  static void *const functions[] = {
    (void *)fx_add, (void *)fx_mirror, (void *)fx_iterate, (void *)fx_exchange,
    (void *)fx_await, (void *)fx_abort, (void *)fx_hang,
  };
  memcpy(table, functions, size < sizeof functions ? size : sizeof functions);
  return 0;
}
