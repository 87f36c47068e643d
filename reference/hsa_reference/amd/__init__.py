"""Functions of hsa_ext_amd.h, one module per topic."""
