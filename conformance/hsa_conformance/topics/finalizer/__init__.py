"""The topics of hsa_ext_finalize.h."""
