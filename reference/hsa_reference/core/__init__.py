"""Functions of hsa.h, one module per topic."""
