"""Edits of ROCr's source by a seed, and whether the suite notices."""
