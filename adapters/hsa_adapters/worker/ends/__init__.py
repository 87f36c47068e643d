"""The end of a process: how it came, and in which place of the library."""
