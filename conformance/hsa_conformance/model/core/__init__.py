"""The model's part for hsa.h."""
