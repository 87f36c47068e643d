"""The library under test: its functions, its version, and the machine it runs on."""
