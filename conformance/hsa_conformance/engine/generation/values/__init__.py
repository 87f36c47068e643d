"""Values that are tried: those with names, sizes, and the edges of ranges."""
