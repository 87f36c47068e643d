/* Each member of the profiler's table that is written is the address of code. */
#include "finding.h"

enum { HSA_SYSTEM_INFO_EXTENSIONS = 7, HSA_EXTENSION_AMD_AQLPROFILE = 0x202 };
enum { MEMBERS = 13 };

FUNCTION(int, hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t size, void *table),
         (extension, major, size, table))

static bool is_code(uintptr_t address)
{
    unsigned long start, end;
    char line[4096], rights[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    bool found = false;

    if (!maps)
        cannot_tell("no list of mappings");
    while (!found && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3)
            found = start <= address && address < end && rights[2] == 'x';
    fclose(maps);
    return found;
}

int main(int count, char **words)
{
    const int bit = HSA_EXTENSION_AMD_AQLPROFILE;
    void *table[MEMBERS];
    uint8_t mask[128] = {0};
    int defects = 0;

    start(count, words);
    hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, mask);
    if (!(mask[bit / 8] >> bit % 8 & 1))
        cannot_tell("there is no profiler");
    for (int i = 0; i < MEMBERS; i++)
        table[i] = table; /* a release with fewer members leaves the others as they are */
    if (STATUS_OF(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_AQLPROFILE, 1,
                                                       sizeof table, table)))
        cannot_tell("there is no table");
    for (int i = 0; i < MEMBERS; i++)
        if (table[i] != (void *)table && !is_code((uintptr_t)table[i])) {
            printf("member %d is %p, where no code is\n", i, table[i]);
            defects++;
        }
    return defects ? DEFECT : NO_DEFECT;
}
