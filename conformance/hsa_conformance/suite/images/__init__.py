"""Properties of images and samplers."""
