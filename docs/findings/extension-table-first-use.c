/* Two threads ask for the table of an extension, as the first ones of their process. */
#include "threads.h"

enum { HSA_EXTENSION_AMD_LOADER = 0x201 };

FUNCTION(int, hsa_system_get_extension_table,
         (uint16_t extension, uint16_t major, uint16_t minor, void *table),
         (extension, major, minor, table))

static void *tables[THREADS][64];

/* Whatever is answered: the process has to end as it should. */
static void *ask(void *number)
{
    meet();
    hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 0, tables[*(int *)number]);
    return NULL;
}

static int defect(void)
{
    initialise();
    begin(ask);
    return NO_DEFECT;
}

static int alone(void)
{
    int number = 0;

    initialise();
    arrived = THREADS; /* one thread waits for nobody */
    ask(&number);
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_system_get_extension_table");
    if (run(alone, 10))
        return CANNOT_TELL;
    return rate(defect);
}
