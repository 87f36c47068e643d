"""Mistakes in what one topic is about."""
