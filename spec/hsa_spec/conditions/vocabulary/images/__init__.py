"""Words of the functions of hsa_ext_image.h, one module per topic."""
