"""Scalar instructions: one operation for a wave."""
