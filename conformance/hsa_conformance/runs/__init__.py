"""What a run is: how it begins, is written down, is cut and joined, and ends."""
