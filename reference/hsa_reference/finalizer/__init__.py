"""Functions of hsa_ext_finalize.h, one module per topic."""
