"""An example that failed: what else it needs to fail, and how it becomes shorter."""
