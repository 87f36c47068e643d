/* How a thread waits for others between two calls; see hsa_adapters.worker.threads.together. */
        lock inc dword ptr [rdi]
look:   pause
        cmp     [rdi], esi
        jae     down
        dec     rdx
        jnz     look
down:   dec     rcx
        jg      down
        ret
