"""Generators for images and samplers."""
