"""What the suite remembers of images and samplers."""
