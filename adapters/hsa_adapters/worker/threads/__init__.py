"""Calls of several threads, and calls beside others."""
