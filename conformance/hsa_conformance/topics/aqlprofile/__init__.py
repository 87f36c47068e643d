"""The topics of hsa_ven_amd_aqlprofile.h."""
