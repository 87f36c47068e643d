"""What can go wrong while the C file is compiled."""


class NativeError(Exception):
    """The C file cannot be compiled; the message says what to do."""
