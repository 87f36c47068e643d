"""Tests that start no process."""
