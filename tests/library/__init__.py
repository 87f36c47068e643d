"""Tests that need Python and a C compiler."""
