"""The sorts of checks, one module for each."""
