/* The instruction set architectures of all agents, for programs that look at each of them. */
#ifndef ISAS_H
#define ISAS_H

#include "finding.h"

FUNCTION(int, hsa_agent_iterate_isas, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))

/* How many have the defect, and how many were asked; the visitor of a program counts. */
static int defects, seen;
static visitor *check_isa_of;

static int check_agent(hsa_agent_t agent, void *data)
{
    hsa_agent_iterate_isas(agent, check_isa_of, data); /* which a CPU may refuse */
    return HSA_STATUS_SUCCESS;
}

/* Let a program check each of them, and return how it ends. */
static inline int check_isas(int count, char **words, visitor *check_isa)
{
    start(count, words);
    check_isa_of = check_isa;
    hsa_iterate_agents(check_agent, NULL);
    if (!seen)
        cannot_tell("no agent has an instruction set architecture");
    return defects > 0 ? DEFECT : NO_DEFECT;
}

#endif
