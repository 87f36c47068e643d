/* Ioctls that ask what the driver and its devices are, or tell them how to behave. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "base/clocks.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/state.h"
#include "devices/queues.h"
#include "calls/device.h"

static bool enabled;

static int version(void *arguments)
{
    *(struct version_args *)arguments = (struct version_args){machine()->major, machine()->minor};
    return 0;
}

static int clocks(void *arguments)
{
    struct clock_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);

    args->gpu = gpu == NO_GPU ? 0 : device_ticks(gpu);
    args->cpu = nanoseconds(CLOCK_MONOTONIC_RAW);
    /* In nanoseconds, as the kernel has it: programs read the same clock without asking. */
    args->system = nanoseconds(CLOCK_BOOTTIME);
    args->frequency = 1000000000;
    return 0;
}

static int apertures(void *arguments)
{
    struct apertures_args *args = arguments;
    struct aperture *array = (struct aperture *)args->array;
    uint32_t asked = args->count;

    args->count = (uint32_t)machine()->gpus;
    if (!asked)
        return 0;
    if (!array)
        return EFAULT;
    if (asked < args->count)
        args->count = asked;
    for (uint32_t i = 0; i < args->count; i++)
        array[i] = (struct aperture){
            .lds_base = machine()->lds,
            .lds_limit = machine()->lds + UINT32_MAX,
            .scratch_base = 0x2000000000000,
            .scratch_limit = 0x20000ffffffff,
            .gpuvm_base = 0x10000,
            .gpuvm_limit = 0x7fffffffffff,
            .gpu_id = machine()->gpu[i].id,
        };
    return 0;
}

static int acquire_vm(void *arguments)
{
    struct acquire_vm_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);

    if (gpu == NO_GPU || gpu_of_descriptor((int)args->render) != gpu)
        return EINVAL;
    acquire(gpu);
    return 0;
}

static int memory_policy(void *arguments)
{
    struct memory_policy_args *args = arguments;

    if (args->default_policy > 1 || args->alternate_policy > 1)
        return EINVAL;
    return gpu_by_id(args->gpu_id) == NO_GPU ? EINVAL : 0;
}

static int tile_config(void *arguments)
{
    struct tile_args *args = arguments;

    if (gpu_by_id(args->gpu_id) == NO_GPU)
        return EINVAL;
    args->tile_count = args->macro_tile_count = 0;
    args->address_config = args->banks = args->ranks = 0;
    return 0;
}

/* Trap handlers and scratch are for waves, and no waves run here. */
static int scratch(void *arguments)
{
    return gpu_by_id(((struct scratch_args *)arguments)->gpu_id) == NO_GPU ? EINVAL : 0;
}

static int trap_handler(void *arguments)
{
    return gpu_by_id(((struct trap_handler_args *)arguments)->gpu_id) == NO_GPU ? EINVAL : 0;
}

static int xnack_mode(void *arguments)
{
    struct xnack_args *args = arguments;

    if (args->enabled < 0) {
        args->enabled = xnack_is_on();
        return 0;
    }
    if (queues_exist())
        return EBUSY;
    if (args->enabled && !machine()->xnack)
        return EPERM;
    xnack_set(args->enabled);
    return 0;
}

static int runtime(void *arguments)
{
    const struct runtime_args *args = arguments;
    bool enable = args->mode & RUNTIME_ENABLE_BIT;

    if (enable && enabled)
        return EBUSY;
    if (enable && queues_exist())
        return EEXIST;
    enabled = enable;
    return 0;
}

/* What a kernel without the feature answers, so that a caller goes another way. */
static int unsupported(void *arguments)
{
    (void)arguments;
    return ENOTTY;
}

static void forget(void)
{
    enabled = false;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

const handler device_ioctls[KFD_IOCTLS] = {
    [GET_VERSION] = version,
    [GET_CLOCK_COUNTERS] = clocks,
    [GET_PROCESS_APERTURES] = unsupported,
    [GET_PROCESS_APERTURES_NEW] = apertures,
    [ACQUIRE_VM] = acquire_vm,
    [SET_MEMORY_POLICY] = memory_policy,
    [GET_TILE_CONFIG] = tile_config,
    [SET_SCRATCH_BACKING_VA] = scratch,
    [SET_TRAP_HANDLER] = trap_handler,
    [SET_XNACK_MODE] = xnack_mode,
    [RUNTIME_ENABLE] = runtime,
    [SMI_EVENTS] = unsupported,
    [CRIU_OP] = unsupported,
    [DBG_TRAP] = unsupported,
    [DBG_TRAP_OLD] = unsupported,
    [CROSS_MEMORY_COPY] = unsupported,
    [RLC_SPM] = unsupported,
    [PC_SAMPLE] = unsupported,
    [AIS_OP] = unsupported,
};
