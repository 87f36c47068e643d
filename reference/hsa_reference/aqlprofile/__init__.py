"""Functions of hsa_ven_amd_aqlprofile.h, one module per topic."""
