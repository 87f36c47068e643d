"""What RDNA3 has: most of it under other names, and the rest with descriptions of its own."""
