/* A thread of a litmus test with each of its moves; see hsa_adapters.worker.litmus. */
        push    rbx
        movabs  r11, RECORD
        mov     [r11 + 8], rsp
        movabs  r11, ARRIVED
        lock inc dword ptr [r11]
wait:   pause
        mov     eax, [r11]
        cmp     eax, THREADS
        jb      wait
        xor     ebx, ebx
again:  mfence
        mov     ecx, DELAY
down:   dec     ecx
        jnz     down
        /* from one place to the iteration's own, and the other way round */
        movabs  r10, FROM
        mov     rax, [r10]
        movabs  r11, TO
        mov     [r11 + 8 * rbx], rax
        movabs  r10, FROM
        mov     rax, [r10 + 8 * rbx]
        movabs  r11, TO
        mov     [r11], rax
        /* a call with numbers, one whose arguments are read, and one with the iteration's own */
        movabs  r11, RECORD
        mov     qword ptr [r11], 1
        .irp    register, rdi, rsi, rdx, rcx, r8, r9
        movabs  \register, ARGUMENT
        .endr
        movabs  rax, FUNCTION
        call    rax
        movabs  r11, TO
        mov     [r11], rax
        movabs  r11, RECORD
        mov     qword ptr [r11], 2
        .irp    register, rdi, rsi, rdx, rcx, r8, r9
        movabs  r10, FROM
        mov     \register, [r10]
        .endr
        movabs  rax, FUNCTION
        call    rax
        movabs  r11, RECORD
        mov     qword ptr [r11], 3
        .irp    register, rdi, rsi, rdx, rcx, r8, r9
        movabs  r10, FROM
        mov     \register, [r10 + 8 * rbx]
        .endr
        movabs  rax, FUNCTION
        call    rax
        inc     rbx
        cmp     rbx, TIMES
        {disp32} jb again
        movabs  r11, RECORD
        mov     qword ptr [r11], 0
        pop     rbx
        ret
