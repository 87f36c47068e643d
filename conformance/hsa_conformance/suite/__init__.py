"""The module that pytest collects: one test, one item for each clause."""
