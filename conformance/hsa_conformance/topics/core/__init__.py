"""Topics of `core`, as the registry groups them."""
