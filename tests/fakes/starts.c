/* Honest, but for hsa_init in some processes: those from FAKE_START_FROM to FAKE_START_TO, counted
 * from 1 over all processes that share the file FAKE_START_COUNT. */
#ifndef FAKE_START_COUNT
#define FAKE_START_COUNT "/dev/null"
#endif
#ifndef FAKE_START_FROM
#define FAKE_START_FROM 1
#endif
#ifndef FAKE_START_TO
#define FAKE_START_TO 1000000
#endif
/* What hsa_init does in them: 0 waits for ever, 1 aborts, another number is its answer. */
#ifndef FAKE_START_HOW
#define FAKE_START_HOW 1
#endif
/* The device node that the library is made to open. */
#ifdef FAKE_START_NODE
__attribute__((used)) static const char node[] = FAKE_START_NODE;
#endif

static int begin(const char *name, int status);
#define FAKE_AFTER(name, status) begin((name), (status))
#include "honest.c"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Return which of the processes this one is: each adds a byte to the file. */
static long number_of_process(void)
{
    struct stat about;
    int file = open(FAKE_START_COUNT, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, "", 1) != 1 || fstat(file, &about))
        abort();
    close(file);
    return (long)about.st_size;
}

static int begin(const char *name, int status)
{
    static long number;
    if (strcmp(name, "hsa_init"))
        return status;
    if (!number)
        number = number_of_process();
    if (number < FAKE_START_FROM || number > FAKE_START_TO)
        return status;
    if (FAKE_START_HOW == 0)
        for (;;)
            pause();
    if (FAKE_START_HOW == 1)
        abort();
    return FAKE_START_HOW;
}
