"""Topics of `images`, as the registry groups them."""
