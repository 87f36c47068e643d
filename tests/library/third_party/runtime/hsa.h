/* HSA runtime 1.0: the types, values and functions that this runtime has. */
#ifndef THIRD_PARTY_HSA_H
#define THIRD_PARTY_HSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HSA_API __attribute__((visibility("default")))

typedef enum {
    HSA_STATUS_SUCCESS = 0x0,
    HSA_STATUS_INFO_BREAK = 0x1,
    HSA_STATUS_ERROR = 0x1000,
    HSA_STATUS_ERROR_INVALID_ARGUMENT = 0x1001,
    HSA_STATUS_ERROR_INVALID_QUEUE_CREATION = 0x1002,
    HSA_STATUS_ERROR_INVALID_ALLOCATION = 0x1003,
    HSA_STATUS_ERROR_INVALID_AGENT = 0x1004,
    HSA_STATUS_ERROR_INVALID_REGION = 0x1005,
    HSA_STATUS_ERROR_INVALID_SIGNAL = 0x1006,
    HSA_STATUS_ERROR_INVALID_QUEUE = 0x1007,
    HSA_STATUS_ERROR_OUT_OF_RESOURCES = 0x1008,
    HSA_STATUS_ERROR_INVALID_PACKET_FORMAT = 0x1009,
    HSA_STATUS_ERROR_RESOURCE_FREE = 0x100A,
    HSA_STATUS_ERROR_NOT_INITIALIZED = 0x100B,
    HSA_STATUS_ERROR_REFCOUNT_OVERFLOW = 0x100C,
    HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS = 0x100D,
    HSA_STATUS_ERROR_INVALID_INDEX = 0x100E,
    HSA_STATUS_ERROR_INVALID_ISA = 0x100F,
    HSA_STATUS_ERROR_INVALID_CODE_OBJECT = 0x1010,
    HSA_STATUS_ERROR_INVALID_EXECUTABLE = 0x1011,
    HSA_STATUS_ERROR_FROZEN_EXECUTABLE = 0x1012,
    HSA_STATUS_ERROR_INVALID_SYMBOL_NAME = 0x1013,
    HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED = 0x1014,
    HSA_STATUS_ERROR_VARIABLE_UNDEFINED = 0x1015,
    HSA_STATUS_ERROR_EXCEPTION = 0x1016,
    HSA_STATUS_ERROR_INVALID_ISA_NAME = 0x1017
} hsa_status_t;

HSA_API hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string);

typedef struct { uint32_t x, y, z; } hsa_dim3_t;

typedef enum {
    HSA_ACCESS_PERMISSION_RO = 1,
    HSA_ACCESS_PERMISSION_WO = 2,
    HSA_ACCESS_PERMISSION_RW = 3
} hsa_access_permission_t;

HSA_API hsa_status_t hsa_init(void);
HSA_API hsa_status_t hsa_shut_down(void);

/* System */

typedef enum { HSA_ENDIANNESS_LITTLE = 0, HSA_ENDIANNESS_BIG = 1 } hsa_endianness_t;
typedef enum { HSA_MACHINE_MODEL_SMALL = 0, HSA_MACHINE_MODEL_LARGE = 1 } hsa_machine_model_t;
typedef enum { HSA_PROFILE_BASE = 0, HSA_PROFILE_FULL = 1 } hsa_profile_t;
typedef enum { HSA_EXTENSION_FINALIZER = 0, HSA_EXTENSION_IMAGES = 1 } hsa_extension_t;

typedef enum {
    HSA_SYSTEM_INFO_VERSION_MAJOR = 0,
    HSA_SYSTEM_INFO_VERSION_MINOR = 1,
    HSA_SYSTEM_INFO_TIMESTAMP = 2,
    HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY = 3,
    HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT = 4,
    HSA_SYSTEM_INFO_ENDIANNESS = 5,
    HSA_SYSTEM_INFO_MACHINE_MODEL = 6,
    HSA_SYSTEM_INFO_EXTENSIONS = 7
} hsa_system_info_t;

HSA_API hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value);
HSA_API hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major,
                                                    uint16_t version_minor, bool *result);
HSA_API hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t version_major,
                                                    uint16_t version_minor, void *table);

/* Agents */

typedef struct { uint64_t handle; } hsa_agent_t;
typedef struct { uint64_t handle; } hsa_isa_t;

typedef enum {
    HSA_AGENT_FEATURE_KERNEL_DISPATCH = 1,
    HSA_AGENT_FEATURE_AGENT_DISPATCH = 2
} hsa_agent_feature_t;

typedef enum {
    HSA_DEVICE_TYPE_CPU = 0,
    HSA_DEVICE_TYPE_GPU = 1,
    HSA_DEVICE_TYPE_DSP = 2
} hsa_device_type_t;

typedef enum {
    HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT = 0,
    HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO = 1,
    HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR = 2
} hsa_default_float_rounding_mode_t;

typedef enum {
    HSA_AGENT_INFO_NAME = 0,
    HSA_AGENT_INFO_VENDOR_NAME = 1,
    HSA_AGENT_INFO_FEATURE = 2,
    HSA_AGENT_INFO_MACHINE_MODEL = 3,
    HSA_AGENT_INFO_PROFILE = 4,
    HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE = 5,
    HSA_AGENT_INFO_WAVEFRONT_SIZE = 6,
    HSA_AGENT_INFO_WORKGROUP_MAX_DIM = 7,
    HSA_AGENT_INFO_WORKGROUP_MAX_SIZE = 8,
    HSA_AGENT_INFO_GRID_MAX_DIM = 9,
    HSA_AGENT_INFO_GRID_MAX_SIZE = 10,
    HSA_AGENT_INFO_FBARRIER_MAX_SIZE = 11,
    HSA_AGENT_INFO_QUEUES_MAX = 12,
    HSA_AGENT_INFO_QUEUE_MIN_SIZE = 13,
    HSA_AGENT_INFO_QUEUE_MAX_SIZE = 14,
    HSA_AGENT_INFO_QUEUE_TYPE = 15,
    HSA_AGENT_INFO_NODE = 16,
    HSA_AGENT_INFO_DEVICE = 17,
    HSA_AGENT_INFO_CACHE_SIZE = 18,
    HSA_AGENT_INFO_ISA = 19,
    HSA_AGENT_INFO_EXTENSIONS = 20,
    HSA_AGENT_INFO_VERSION_MAJOR = 21,
    HSA_AGENT_INFO_VERSION_MINOR = 22,
    HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES = 23,
    HSA_AGENT_INFO_FAST_F16_OPERATION = 24
} hsa_agent_info_t;

HSA_API hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value);
HSA_API hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data),
                                        void *data);
HSA_API hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile,
                                                      uint16_t *mask);
HSA_API hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent,
                                                   uint16_t version_major, uint16_t version_minor,
                                                   bool *result);

/* Instruction sets */

typedef enum {
    HSA_ISA_INFO_NAME_LENGTH = 0,
    HSA_ISA_INFO_NAME = 1,
    HSA_ISA_INFO_CALL_CONVENTION_COUNT = 2,
    HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE = 3,
    HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT = 4
} hsa_isa_info_t;

HSA_API hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa);
HSA_API hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index,
                                      void *value);
HSA_API hsa_status_t hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa,
                                        bool *result);

/* Regions and memory */

typedef struct { uint64_t handle; } hsa_region_t;

typedef enum {
    HSA_REGION_SEGMENT_GLOBAL = 0,
    HSA_REGION_SEGMENT_READONLY = 1,
    HSA_REGION_SEGMENT_PRIVATE = 2,
    HSA_REGION_SEGMENT_GROUP = 3
} hsa_region_segment_t;

typedef enum {
    HSA_REGION_GLOBAL_FLAG_KERNARG = 1,
    HSA_REGION_GLOBAL_FLAG_FINE_GRAINED = 2,
    HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED = 4
} hsa_region_global_flag_t;

typedef enum {
    HSA_REGION_INFO_SEGMENT = 0,
    HSA_REGION_INFO_GLOBAL_FLAGS = 1,
    HSA_REGION_INFO_SIZE = 2,
    HSA_REGION_INFO_ALLOC_MAX_SIZE = 4,
    HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED = 5,
    HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE = 6,
    HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT = 7
} hsa_region_info_t;

HSA_API hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute,
                                         void *value);
HSA_API hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent,
                                               hsa_status_t (*callback)(hsa_region_t region,
                                                                        void *data),
                                               void *data);
HSA_API hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr);
HSA_API hsa_status_t hsa_memory_free(void *ptr);
HSA_API hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size);
HSA_API hsa_status_t hsa_memory_assign_agent(void *ptr, hsa_agent_t agent,
                                             hsa_access_permission_t access);
HSA_API hsa_status_t hsa_memory_register(void *ptr, size_t size);
HSA_API hsa_status_t hsa_memory_deregister(void *ptr, size_t size);

/* Signals */

typedef struct { uint64_t handle; } hsa_signal_t;
typedef intptr_t hsa_signal_value_t;

typedef enum {
    HSA_SIGNAL_CONDITION_EQ = 0,
    HSA_SIGNAL_CONDITION_NE = 1,
    HSA_SIGNAL_CONDITION_LT = 2,
    HSA_SIGNAL_CONDITION_GTE = 3
} hsa_signal_condition_t;

typedef enum { HSA_WAIT_STATE_BLOCKED = 0, HSA_WAIT_STATE_ACTIVE = 1 } hsa_wait_state_t;

HSA_API hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                       const hsa_agent_t *consumers, hsa_signal_t *signal);
HSA_API hsa_status_t hsa_signal_destroy(hsa_signal_t signal);

#define HSA_SIGNAL_LOAD(order) \
    HSA_API hsa_signal_value_t hsa_signal_load_##order(hsa_signal_t signal)
#define HSA_SIGNAL_STORE(order) \
    HSA_API void hsa_signal_store_##order(hsa_signal_t signal, hsa_signal_value_t value)
#define HSA_SIGNAL_EXCHANGE(order) \
    HSA_API hsa_signal_value_t hsa_signal_exchange_##order(hsa_signal_t signal, \
                                                           hsa_signal_value_t value)
#define HSA_SIGNAL_CAS(order) \
    HSA_API hsa_signal_value_t hsa_signal_cas_##order( \
        hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value)
#define HSA_SIGNAL_UPDATE(name, order) \
    HSA_API void hsa_signal_##name##_##order(hsa_signal_t signal, hsa_signal_value_t value)
#define HSA_SIGNAL_WAIT(order) \
    HSA_API hsa_signal_value_t hsa_signal_wait_##order( \
        hsa_signal_t signal, hsa_signal_condition_t condition, hsa_signal_value_t compare_value, \
        uint64_t timeout_hint, hsa_wait_state_t wait_state_hint)

HSA_SIGNAL_LOAD(acquire);
HSA_SIGNAL_LOAD(relaxed);
HSA_SIGNAL_STORE(relaxed);
HSA_SIGNAL_STORE(release);
HSA_SIGNAL_EXCHANGE(acq_rel);
HSA_SIGNAL_EXCHANGE(acquire);
HSA_SIGNAL_EXCHANGE(relaxed);
HSA_SIGNAL_EXCHANGE(release);
HSA_SIGNAL_CAS(acq_rel);
HSA_SIGNAL_CAS(acquire);
HSA_SIGNAL_CAS(relaxed);
HSA_SIGNAL_CAS(release);
HSA_SIGNAL_UPDATE(add, acq_rel);
HSA_SIGNAL_UPDATE(add, acquire);
HSA_SIGNAL_UPDATE(add, relaxed);
HSA_SIGNAL_UPDATE(add, release);
HSA_SIGNAL_UPDATE(subtract, acq_rel);
HSA_SIGNAL_UPDATE(subtract, acquire);
HSA_SIGNAL_UPDATE(subtract, relaxed);
HSA_SIGNAL_UPDATE(subtract, release);
HSA_SIGNAL_UPDATE(and, acq_rel);
HSA_SIGNAL_UPDATE(and, acquire);
HSA_SIGNAL_UPDATE(and, relaxed);
HSA_SIGNAL_UPDATE(and, release);
HSA_SIGNAL_UPDATE(or, acq_rel);
HSA_SIGNAL_UPDATE(or, acquire);
HSA_SIGNAL_UPDATE(or, relaxed);
HSA_SIGNAL_UPDATE(or, release);
HSA_SIGNAL_UPDATE(xor, acq_rel);
HSA_SIGNAL_UPDATE(xor, acquire);
HSA_SIGNAL_UPDATE(xor, relaxed);
HSA_SIGNAL_UPDATE(xor, release);
HSA_SIGNAL_WAIT(acquire);
HSA_SIGNAL_WAIT(relaxed);

/* Queues */

typedef enum { HSA_QUEUE_TYPE_MULTI = 0, HSA_QUEUE_TYPE_SINGLE = 1 } hsa_queue_type_t;

typedef enum {
    HSA_QUEUE_FEATURE_KERNEL_DISPATCH = 1,
    HSA_QUEUE_FEATURE_AGENT_DISPATCH = 2
} hsa_queue_feature_t;

typedef struct {
    hsa_queue_type_t type;
    uint32_t features;
    void *base_address;
#if UINTPTR_MAX == UINT32_MAX
    uint32_t reserved0;
#endif
    hsa_signal_t doorbell_signal;
    uint32_t size;
    uint32_t reserved1;
    uint64_t id;
} hsa_queue_t;

HSA_API hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type_t type,
                                      void (*callback)(hsa_status_t status, hsa_queue_t *source,
                                                       void *data),
                                      void *data, uint32_t private_segment_size,
                                      uint32_t group_segment_size, hsa_queue_t **queue);
HSA_API hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size,
                                           hsa_queue_type_t type, uint32_t features,
                                           hsa_signal_t doorbell_signal, hsa_queue_t **queue);
HSA_API hsa_status_t hsa_queue_destroy(hsa_queue_t *queue);
HSA_API hsa_status_t hsa_queue_inactivate(hsa_queue_t *queue);

#define HSA_QUEUE_LOAD(index, order) \
    HSA_API uint64_t hsa_queue_load_##index##_index_##order(const hsa_queue_t *queue)
#define HSA_QUEUE_STORE(index, order) \
    HSA_API void hsa_queue_store_##index##_index_##order(const hsa_queue_t *queue, uint64_t value)
#define HSA_QUEUE_CAS(order) \
    HSA_API uint64_t hsa_queue_cas_write_index_##order(const hsa_queue_t *queue, \
                                                       uint64_t expected, uint64_t value)
#define HSA_QUEUE_ADD(order) \
    HSA_API uint64_t hsa_queue_add_write_index_##order(const hsa_queue_t *queue, uint64_t value)

HSA_QUEUE_LOAD(read, acquire);
HSA_QUEUE_LOAD(read, relaxed);
HSA_QUEUE_LOAD(write, acquire);
HSA_QUEUE_LOAD(write, relaxed);
HSA_QUEUE_STORE(read, relaxed);
HSA_QUEUE_STORE(read, release);
HSA_QUEUE_STORE(write, relaxed);
HSA_QUEUE_STORE(write, release);
HSA_QUEUE_CAS(acq_rel);
HSA_QUEUE_CAS(acquire);
HSA_QUEUE_CAS(relaxed);
HSA_QUEUE_CAS(release);
HSA_QUEUE_ADD(acq_rel);
HSA_QUEUE_ADD(acquire);
HSA_QUEUE_ADD(relaxed);
HSA_QUEUE_ADD(release);

/* Packets */

typedef enum {
    HSA_PACKET_TYPE_VENDOR_SPECIFIC = 0,
    HSA_PACKET_TYPE_INVALID = 1,
    HSA_PACKET_TYPE_KERNEL_DISPATCH = 2,
    HSA_PACKET_TYPE_BARRIER_AND = 3,
    HSA_PACKET_TYPE_AGENT_DISPATCH = 4,
    HSA_PACKET_TYPE_BARRIER_OR = 5
} hsa_packet_type_t;

typedef enum {
    HSA_FENCE_SCOPE_NONE = 0,
    HSA_FENCE_SCOPE_AGENT = 1,
    HSA_FENCE_SCOPE_SYSTEM = 2
} hsa_fence_scope_t;

typedef enum {
    HSA_PACKET_HEADER_TYPE = 0,
    HSA_PACKET_HEADER_BARRIER = 8,
    HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE = 9,
    HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE = 11
} hsa_packet_header_t;

typedef struct {
    uint16_t header;
    uint16_t type;
    uint32_t reserved0;
    void *return_address;
#if UINTPTR_MAX == UINT32_MAX
    uint32_t reserved1;
#endif
    uint64_t arg[4];
    uint64_t reserved2;
    hsa_signal_t completion_signal;
} hsa_agent_dispatch_packet_t;

/* Barrier-AND and barrier-OR packets have the same layout. */
typedef struct {
    uint16_t header;
    uint16_t reserved0;
    uint32_t reserved1;
    hsa_signal_t dep_signal[5];
    uint64_t reserved2;
    hsa_signal_t completion_signal;
} hsa_barrier_and_packet_t, hsa_barrier_or_packet_t;

#endif
