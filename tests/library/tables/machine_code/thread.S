/* What a thread does that makes its calls together with others; see hsa_adapters.worker.together. */
#include <sys/syscall.h>

        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        mov     rbx, rdi
        mov     rbp, [rbx + LANE_gate]
        mov     r12, [rbx + LANE_calls]
        mov     r13, [rbx + LANE_left]
        mov     r14, [rbx + LANE_record]
        mov     [r14 + 8], rsp
        mov     eax, 1
        lock xadd [rbp + GATE_arrived], eax
        inc     eax
        cmp     eax, [rbp + GATE_threads]
        jne     wait
        call    now
        add     rax, [rbp + GATE_lead]
        mov     [rbp + GATE_moment], rax
        mov     dword ptr [rbp + GATE_open], 1
        mov     esi, FUTEX_WAKE_PRIVATE
        mov     edx, 0x7fffffff
        jmp     futex
wait:   cmp     dword ptr [rbp + GATE_open], 0
        jne     begin
        mov     esi, FUTEX_WAIT_PRIVATE
        xor     edx, edx
futex:  mov     rdi, rbp
        xor     r10d, r10d
        mov     eax, SYS_futex
        syscall
        jmp     wait
begin:  lock inc dword ptr [rbp + GATE_awake]
again:  pause
        mov     eax, [rbp + GATE_awake]
        cmp     eax, [rbp + GATE_wanted]
        jae     next
        call    now
        cmp     rax, [rbp + GATE_moment]
        jb      again
next:   dec     r13
        js      done
        mov     rax, [r12 + CALL_number]
        mov     [r14], rax
        call    now
        mov     [r12 + CALL_began], rax
        .irp    place, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6
        push    qword ptr [r12 + CALL_arguments + 8 * \place]
        .endr
        mov     rdi, [r12 + CALL_arguments]
        mov     rsi, [r12 + CALL_arguments + 8]
        mov     rdx, [r12 + CALL_arguments + 16]
        mov     rcx, [r12 + CALL_arguments + 24]
        mov     r8, [r12 + CALL_arguments + 32]
        mov     r9, [r12 + CALL_arguments + 40]
        call    [r12 + CALL_function]
        add     rsp, 10 * 8
        mov     [r12 + CALL_result], rax
        mfence
        call    now
        mov     [r12 + CALL_ended], rax
        mov     qword ptr [r14], 0
        add     r12, CALL
        jmp     next
done:   pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
now:    sub     rsp, 24
        mov     edi, CLOCK_MONOTONIC
        mov     rsi, rsp
        call    [rbp + GATE_clock]
        imul    rax, [rsp], 1000000000
        add     rax, [rsp + 8]
        add     rsp, 24
        ret
