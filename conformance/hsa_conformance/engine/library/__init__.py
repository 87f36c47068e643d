"""The library under test: its functions, and the machine it runs on."""
