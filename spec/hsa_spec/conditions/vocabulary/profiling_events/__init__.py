"""Words of the profiling events of hsa_ext.h, one module per topic."""
