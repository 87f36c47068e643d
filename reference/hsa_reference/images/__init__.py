"""Topics of hsa_ext_image.h."""
