"""Topics of `amd`, as the registry groups them."""
