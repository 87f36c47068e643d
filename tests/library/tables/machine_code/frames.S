/* Functions about whose frames all is said that hsa_adapters.worker.unwinding reads. */
        .text
        .globl  handler
        .hidden handler
handler:
        ret

        .globl  framed
framed: .cfi_startproc
        .cfi_personality 0x1b, handler
        .cfi_lsda 0x1b, handler
        push    rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov     rbp, rsp
        .cfi_def_cfa_register rbp
        .skip   100, 0x90
        .cfi_offset rbx, -24
        .cfi_offset r12, -32
        .skip   300, 0x90
        .cfi_remember_state
        .cfi_restore rbx
        .cfi_undefined r13
        .cfi_same_value r12
        .cfi_escape 0x05, 14, 5         /* r14 in the long form, and r15 as well */
        .cfi_escape 0x05, 15, 6
        .skip   70000, 0x90
        .cfi_escape 0x06, 15            /* r15 as at the start */
        .cfi_escape 0x00
        .cfi_def_cfa rsp, 24
        nop
        .cfi_restore_state
        nop
        ret
        .cfi_endproc

        .globl  unsaid
unsaid: .cfi_startproc
        nop
        .cfi_escape 0x0f, 2, 0x77, 8    /* by an expression */
        ret
        .cfi_endproc
        .globl  sized
sized:  .cfi_startproc
        nop
        .cfi_escape 0x2e, 16            /* the size of arguments, of which pyelftools know nothing */
        .cfi_def_cfa_offset 32
        ret
        .cfi_endproc
        .section .note.GNU-stack, "", @progbits
