"""Campaigns: many libraries that are wrong, drawn by seed, and who notices."""
