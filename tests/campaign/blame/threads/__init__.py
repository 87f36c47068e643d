"""Libraries that are wrong where several threads call them."""
