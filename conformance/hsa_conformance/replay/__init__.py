"""What failed before, tried again: examples that were kept, and the steps of an earlier run."""
