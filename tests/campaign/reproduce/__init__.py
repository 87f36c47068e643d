"""C programs made of failures, and what they find."""
