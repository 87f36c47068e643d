"""The library and its machine, as files beside it describe them."""
