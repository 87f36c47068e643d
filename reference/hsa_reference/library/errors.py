"""What can go wrong while the C library is built."""


class LibraryError(Exception):
    """The C library cannot be built; the message says what to do."""
