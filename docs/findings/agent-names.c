/* Name and vendor of an agent: all of the 64 bytes that are not the name have to be NUL. */
#include "finding.h"

enum { HSA_AGENT_INFO_VENDOR_NAME = 1, NAME_BYTES = 64 };

static int defects;

static void check(hsa_agent_t agent, int attribute, const char *what)
{
    unsigned char value[NAME_BYTES + 1];

    memset(value, 0xa5, NAME_BYTES);
    value[NAME_BYTES] = 0;
    if (hsa_agent_get_info(agent, attribute, value))
        return;
    for (size_t end = strlen((char *)value); end < NAME_BYTES; end++)
        if (value[end]) {
            printf("%s %s: byte %zu is %#x\n", what, (char *)value, end, (unsigned)value[end]);
            defects++;
        }
}

static int check_agent(hsa_agent_t agent, void *data)
{
    (void)data;
    check(agent, HSA_AGENT_INFO_NAME, "name");
    check(agent, HSA_AGENT_INFO_VENDOR_NAME, "vendor");
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    start(count, words);
    hsa_iterate_agents(check_agent, NULL);
    return defects > 0;
}
