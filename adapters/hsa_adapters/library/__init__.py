"""The adapter for C libraries: how a worker starts, and the processes of the library in it."""
