"""What can go wrong around the virtual KFD."""


class VirtualKfdError(Exception):
    """The virtual KFD cannot be built or described; the message says what to do."""
