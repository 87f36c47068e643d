"""Programs of findings on the reference."""
