/* One function called again and again; see hsa_adapters.worker.repetition. */
        push    rbx
        mov     rbx, rdi
again:  mov     rdi, [rbx + CONTROL_first]
        mov     rsi, [rbx + CONTROL_operand]
        call    [rbx + CONTROL_function]
        cmp     eax, 1
        adc     qword ptr [rbx + CONTROL_zeros], 0
        mov     rax, [rbx + CONTROL_step]
        add     [rbx + CONTROL_operand], rax
        inc     qword ptr [rbx + CONTROL_made]
        dec     qword ptr [rbx + CONTROL_left]
        jz      done
        cmp     qword ptr [rbx + CONTROL_stopped], 0
        je      again
done:   pop     rbx
        ret
