"""The part of hsa_ven_amd_pc_sampling.h."""
