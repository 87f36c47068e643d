"""Tests of the command of before a commit."""
