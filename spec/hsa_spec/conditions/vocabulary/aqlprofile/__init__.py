"""Words of the functions of hsa_ven_amd_aqlprofile.h, one module per topic."""
