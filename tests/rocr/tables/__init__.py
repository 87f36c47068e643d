"""Tables about AMD GPUs, read against LLVM."""
