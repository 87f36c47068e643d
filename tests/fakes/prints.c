/* Honest, but prints a line to stdout and one to stderr in every call. */
static void print(const char *function);
#define FAKE_BEFORE(name) print(name)
#include "honest.c"

static void print(const char *function)
{
    printf("fake: %s on stdout\n", function);
    fflush(stdout);
    fprintf(stderr, "fake: %s on stderr\n", function);
}
