"""What several topics use."""
