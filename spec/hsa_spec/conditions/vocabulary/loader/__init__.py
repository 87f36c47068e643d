"""Words of the functions of hsa_ven_amd_loader.h, one module per topic."""
