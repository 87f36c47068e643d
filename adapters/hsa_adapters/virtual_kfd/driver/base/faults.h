/* Refusals that a test asks for, and a log of the calls that could be refused. */
#ifndef FAULTS_H
#define FAULTS_H

/* What can be refused beside the ioctls, which have their numbers in kfd.h. Tests use these names. */
enum refusable {
    CALL_mmap = 0x101,
    CALL_open_kfd = 0x102,
    CALL_open_render = 0x103,
    CALL_open_file = 0x104,
    CALL_read_file = 0x105,
    CALL_pthread_create = 0x106,
    CALL_amdgpu_device_initialize = 0x107,
    CALL_amdgpu_bo_import = 0x108,
    CALL_amdgpu_bo_export = 0x109,
    CALL_amdgpu_bo_va_op = 0x10A,
    CALL_amdgpu_bo_cpu_map = 0x10B,
    CALL_amdgpu_bo_query_info = 0x10C,
    CALL_amdgpu_bo_set_metadata = 0x10D,
    CALL_drmCommandWriteRead = 0x10E,
    CALL_amdgpu_bo_va_op_unmap = 0x110, /* amdgpu_bo_va_op that takes a mapping away */
    NOTED_kernel = 0x10F, /* no call: a dispatch that nothing here executes */
};

/* Note a call of a kind, and return the errno that it has to fail with, or 0; with the lock held. */
int injected(int number);
/* Note that a device was given a kernel. */
void note_kernel(void);

#endif
