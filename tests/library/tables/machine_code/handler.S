/* What a process does when a signal ends it; see hsa_adapters.worker.crash. */
#include <sys/syscall.h>

        push    rbx
        push    rbp
        mov     ebx, edi                        /* the signal */
        mov     rbp, rdx                        /* the context */
        mov     eax, SYS_getpid
        syscall
        push    qword ptr [rsi + SI_ADDR]
        push    rbx
        push    rax
        mov     eax, 1
        xchg    dword ptr [rip + taken], eax
        test    eax, eax
        jnz     end
        mov     edi, dword ptr [rip + file]
        mov     rsi, rsp
        mov     edx, 3 * 8
        xor     r10d, r10d
        mov     eax, SYS_pwrite64
        syscall
        lea     rsi, [rbp + GREGS]
        mov     edx, 8 * REGISTERS
        mov     r10d, 3 * 8
        mov     eax, SYS_pwrite64
        syscall
        mov     rsi, [rbp + GREGS + 8 * RSP]
        mov     edx, OWN_STACK
        mov     r10d, STACK
        mov     eax, SYS_pwrite64
        syscall
end:    mov     edi, ebx
        lea     rsi, [rip + action]
        xor     edx, edx
        mov     r10d, 8                         /* bytes of the kernel's sigset_t */
        mov     eax, SYS_rt_sigaction
        syscall
        mov     eax, SYS_gettid
        syscall
        mov     esi, eax
        pop     rdi
        mov     edx, ebx
        mov     eax, SYS_tgkill
        syscall
        pop     rax
        pop     rax
        pop     rbp
        pop     rbx
        ret
        .org    DEFAULT
action: .org    FILE
file:   .long   0
taken:  .long   0
