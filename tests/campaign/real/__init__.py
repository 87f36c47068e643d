"""Whole runs of ROCr on an imitated machine, and of the reference as a C library."""
