/* Honest, but claims version 1.31 of AMD's interface with the functions of 1.4 only: there is no
 * hsa_amd_vmem_address_reserve_align, which came with 1.6. */
#define FAKE_EXT_MINOR 31
#define FAKE_WITHOUT_RESERVE_ALIGN
#include "honest.c"
