/* Processes that end with live objects, forked ones, and the library unloaded. */
#include <sys/wait.h>

#include "program.h"

static void make(const char *what)
{
    hsa_queue_t *queue;
    if (strcmp(what, "hsa_signal_create") == 0)
        signal_of(1);
    if (strcmp(what, "hsa_queue_create") == 0) {
        REQUIRE(CALL(hsa_iterate_agents)(find_gpu, &gpu));
        REQUIRE(CALL(hsa_queue_create)(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX,
                                       UINT32_MAX, &queue));
    }
}

/* Return whether a process does not end by itself with status 0. */
static int ends_badly(pid_t child)
{
    int status;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int ends_with(const char *what)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        REQUIRE(CALL(hsa_init)());
        make(what);
        exit(0);
    }
    return ends_badly(child);
}

int child_ends_with(const char *what)
{
    REQUIRE(CALL(hsa_init)());
    make(what);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        exit(0);
    }
    int badly = ends_badly(child);
    fflush(NULL);
    _exit(badly);
}

int is_closed(void)
{
    REQUIRE(CALL(hsa_init)());
    REQUIRE(CALL(hsa_shut_down)());
    dlclose(library);
    usleep(200000);
    return 0;
}
