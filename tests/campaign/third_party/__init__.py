"""The runtime that is not AMD's, with mistakes in it."""
