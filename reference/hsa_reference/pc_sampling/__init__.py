"""Functions of hsa_ven_amd_pc_sampling.h, one module per topic."""
