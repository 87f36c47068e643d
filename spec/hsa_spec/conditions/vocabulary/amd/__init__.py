"""Words of the functions of hsa_ext_amd.h, one module per topic."""
