"""Functions of hsa_ven_amd_loader.h, one module per topic."""
