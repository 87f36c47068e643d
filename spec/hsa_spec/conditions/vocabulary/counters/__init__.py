"""Words of the performance counters of hsa_ext.h, one module per topic."""
