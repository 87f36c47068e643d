"""Properties of hsa_ext_amd.h."""
