"""Programs tried on the library that failed, and made shorter, before they are offered."""
