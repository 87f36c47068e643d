"""A session: makes calls in one process, and remembers what they change."""
