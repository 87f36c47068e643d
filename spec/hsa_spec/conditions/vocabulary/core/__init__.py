"""Words of the functions of hsa.h, one module per topic."""
