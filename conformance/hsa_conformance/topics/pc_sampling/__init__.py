"""Topics of `pc_sampling`, as the registry groups them."""
