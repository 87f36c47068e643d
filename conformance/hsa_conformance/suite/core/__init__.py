"""Properties of functions of hsa.h, one module per topic."""
