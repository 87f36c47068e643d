"""Vector memory instructions: loads, stores and atomic operations of each lane."""
