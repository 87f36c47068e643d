/* The interface of /dev/kfd as user space sees it: numbers of the ioctls and their arguments.
 *
 * Structures grew between releases, and the kernel copies as much as both sides know. So ioctls are
 * told apart by number, and only members that every release has are declared unless a newer one is
 * needed. Source: the kernel's linux/kfd_ioctl.h, and ROCm's copy of it for numbers from 0x80.
 */
#ifndef KFD_H
#define KFD_H

#include <stdint.h>

enum kfd_ioctl {
    GET_VERSION = 0x01,
    CREATE_QUEUE = 0x02,
    DESTROY_QUEUE = 0x03,
    SET_MEMORY_POLICY = 0x04,
    GET_CLOCK_COUNTERS = 0x05,
    GET_PROCESS_APERTURES = 0x06,
    UPDATE_QUEUE = 0x07,
    CREATE_EVENT = 0x08,
    DESTROY_EVENT = 0x09,
    SET_EVENT = 0x0A,
    RESET_EVENT = 0x0B,
    WAIT_EVENTS = 0x0C,
    SET_SCRATCH_BACKING_VA = 0x11,
    GET_TILE_CONFIG = 0x12,
    SET_TRAP_HANDLER = 0x13,
    GET_PROCESS_APERTURES_NEW = 0x14,
    ACQUIRE_VM = 0x15,
    ALLOC_MEMORY_OF_GPU = 0x16,
    FREE_MEMORY_OF_GPU = 0x17,
    MAP_MEMORY_TO_GPU = 0x18,
    UNMAP_MEMORY_FROM_GPU = 0x19,
    SET_CU_MASK = 0x1A,
    GET_QUEUE_WAVE_STATE = 0x1B,
    GET_DMABUF_INFO = 0x1C,
    IMPORT_DMABUF = 0x1D,
    ALLOC_QUEUE_GWS = 0x1E,
    SMI_EVENTS = 0x1F,
    SVM = 0x20,
    SET_XNACK_MODE = 0x21,
    CRIU_OP = 0x22,
    AVAILABLE_MEMORY = 0x23,
    EXPORT_DMABUF = 0x24,
    RUNTIME_ENABLE = 0x25,
    DBG_TRAP = 0x26,
    IPC_IMPORT_HANDLE = 0x80,
    IPC_EXPORT_HANDLE = 0x81,
    DBG_TRAP_OLD = 0x82,
    CROSS_MEMORY_COPY = 0x83,
    RLC_SPM = 0x84,
    PC_SAMPLE = 0x85,
    AIS_OP = 0x87,
    KFD_IOCTLS = 0x100,
};

struct version_args {
    uint32_t major, minor;
};

enum queue_type {
    QUEUE_COMPUTE,
    QUEUE_SDMA,
    QUEUE_COMPUTE_AQL,
    QUEUE_SDMA_XGMI,
    QUEUE_SDMA_BY_ENGINE,
};

struct create_queue_args {
    uint64_t ring, write_pointer, read_pointer, doorbell_offset;
    uint32_t ring_size, gpu_id, type, percentage, priority, id;
    uint64_t eop, eop_size, save_area;
    uint32_t save_area_size, control_stack_size;
};

#define QUEUE_PERCENTAGE(value) ((value) & 0xff)

struct destroy_queue_args {
    uint32_t id, pad;
};

struct gws_args {
    uint32_t queue, count, first, pad;
};

struct update_queue_args {
    uint64_t ring;
    uint32_t id, ring_size, percentage, priority;
};

/* What user space leaves for reports in front of the saved waves of a queue. */
struct save_area_header {
    uint32_t wave_state[4], debug[2];
    uint64_t error_address;
    uint32_t error_event, reserved;
};

struct cu_mask_args {
    uint32_t id, bits;
    uint64_t mask;
};

struct clock_args {
    uint64_t gpu, cpu, system, frequency;
    uint32_t gpu_id, pad;
};

struct aperture {
    uint64_t lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base, gpuvm_limit;
    uint32_t gpu_id, pad;
};

struct apertures_args {
    uint64_t array;
    uint32_t count, pad;
};

struct acquire_vm_args {
    uint32_t render, gpu_id;
};

struct memory_policy_args {
    uint64_t base, size;
    uint32_t gpu_id, default_policy, alternate_policy, flags;
};

enum event_type { EVENT_SIGNAL = 0, EVENT_HW_EXCEPTION = 3, EVENT_DEBUG = 5, EVENT_MEMORY = 8 };
#define SIGNAL_EVENTS 4096u
#define FIRST_OTHER_EVENT 0x40000000u /* signals have the numbers of their slots, others these */
#define UNSIGNALED_SLOT UINT64_MAX

struct create_event_args {
    uint64_t page_offset;
    uint32_t trigger_data, type, auto_reset, node, id, slot;
};

struct event_args {
    uint32_t id, pad;
};

struct memory_fault {
    uint32_t not_present, read_only, no_execute, imprecise;
    uint64_t address;
    uint32_t gpu_id, error;
};

/* All zero: the whole GPU was reset because it hung. */
struct hw_exception {
    uint32_t reset_type, reset_cause, memory_lost, gpu_id;
};

struct event_data {
    union {
        struct memory_fault fault;
        struct hw_exception exception;
        uint64_t last_age;
    };
    uint64_t extension;
    uint32_t id, pad;
};

enum wait_result { WAIT_COMPLETE, WAIT_TIMEOUT, WAIT_FAIL };

struct wait_args {
    uint64_t events;
    uint32_t count, all, timeout, result;
};

enum memory_flag {
    MEMORY_VRAM = 1u << 0,
    MEMORY_GTT = 1u << 1,
    MEMORY_USERPTR = 1u << 2,
    MEMORY_DOORBELL = 1u << 3,
    MEMORY_MMIO = 1u << 4,
    MEMORY_PUBLIC = 1u << 29,
    MEMORY_WRITABLE = 1u << 31,
};

struct alloc_args {
    uint64_t address, size, handle, mmap_offset;
    uint32_t gpu_id, flags;
};

struct free_args {
    uint64_t handle;
};

struct available_args {
    uint64_t available;
    uint32_t gpu_id, pad;
};

struct map_args {
    uint64_t handle, gpu_ids;
    uint32_t count, done;
};

struct dmabuf_info_args {
    uint64_t size, metadata;
    uint32_t metadata_size, gpu_id, flags, descriptor;
};

struct import_args {
    uint64_t address, handle;
    uint32_t gpu_id, descriptor;
};

struct export_args {
    uint64_t handle;
    uint32_t flags, descriptor;
};

struct ipc_import_args {
    uint64_t handle, address, mmap_offset;
    uint32_t share[4];
    uint32_t gpu_id, flags;
};

struct ipc_export_args {
    uint64_t handle;
    uint32_t share[4];
    uint32_t gpu_id, flags;
};

enum svm_operation { SVM_SET, SVM_GET };
enum svm_type {
    SVM_PREFERRED_LOCATION,
    SVM_PREFETCH_LOCATION,
    SVM_ACCESS,
    SVM_ACCESS_IN_PLACE,
    SVM_NO_ACCESS,
    SVM_SET_FLAGS,
    SVM_CLEAR_FLAGS,
    SVM_GRANULARITY,
};
enum svm_flag { SVM_FLAG_HOST_ACCESS = 1, SVM_FLAG_COHERENT = 2 };
#define SVM_UNDEFINED 0xffffffffu

struct svm_attribute {
    uint32_t type, value;
};

struct svm_args {
    uint64_t start, size;
    uint32_t operation, count;
    struct svm_attribute attributes[];
};

struct scratch_args {
    uint64_t address;
    uint32_t gpu_id, pad;
};

struct trap_handler_args {
    uint64_t code, memory;
    uint32_t gpu_id, pad;
};

struct xnack_args {
    int32_t enabled;
};

struct runtime_args {
    uint64_t debug;
    uint32_t mode, capabilities;
};
#define RUNTIME_ENABLE_BIT 1u

struct tile_args {
    uint64_t tiles, macro_tiles;
    uint32_t tile_count, macro_tile_count, gpu_id, address_config, banks, ranks;
};

/* Offsets for mmap on /dev/kfd: what is mapped, then of which GPU, then where. */
#define MMAP_TYPE(offset) ((uint64_t)(offset) >> 62)
#define MMAP_DOORBELL (3ull << 62)
#define MMAP_EVENTS (2ull << 62)
#define MMAP_GPU(gpu_id) (((uint64_t)(gpu_id) & 0xffff) << 46)
#define MMAP_GPU_OF(offset) (((uint64_t)(offset) >> 46) & 0xffff)

#endif
