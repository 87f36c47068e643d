"""What happens in a process before the call that a check is about."""
