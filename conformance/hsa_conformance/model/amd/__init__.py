"""The model's part for hsa_ext_amd.h."""
