/* The call convention of an ISA has the wavefronts of the ISA. */
#include "isas.h"

enum { HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE = 3, HSA_WAVEFRONT_INFO_SIZE = 0 };

typedef handle hsa_wavefront_t;

FUNCTION(int, hsa_isa_get_info, (hsa_isa_t isa, int attribute, uint32_t index, void *value),
         (isa, attribute, index, value))
FUNCTION(int, hsa_isa_iterate_wavefronts, (hsa_isa_t isa, visitor *visit, void *data),
         (isa, visit, data))
FUNCTION(int, hsa_wavefront_get_info, (hsa_wavefront_t wavefront, int attribute, void *value),
         (wavefront, attribute, value))

struct sizes {
    uint32_t convention;
    bool met;
};

static int check_wavefront(hsa_wavefront_t wavefront, void *data)
{
    struct sizes *sizes = data;
    uint32_t size = 0;

    if (!hsa_wavefront_get_info(wavefront, HSA_WAVEFRONT_INFO_SIZE, &size))
        sizes->met |= size == sizes->convention;
    return HSA_STATUS_SUCCESS;
}

static int check_isa(hsa_isa_t isa, void *data)
{
    struct sizes sizes = {0, false};

    (void)data;
    if (hsa_isa_get_info(isa, HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE, 0,
                         &sizes.convention) ||
        hsa_isa_iterate_wavefronts(isa, check_wavefront, &sizes))
        return HSA_STATUS_SUCCESS;
    seen++;
    if (!sizes.met) {
        printf("no wavefront has the %u work-items of the call convention\n", sizes.convention);
        defects++;
    }
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    return check_isas(count, words, check_isa);
}
