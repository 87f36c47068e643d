"""What instructions work on, and how they are described: registers, types, operations."""
