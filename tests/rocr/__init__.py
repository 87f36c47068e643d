"""Tests that need ROCr, clang for AMD GPUs, HIP, or a browser."""
