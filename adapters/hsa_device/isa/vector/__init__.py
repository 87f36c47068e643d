"""Vector instructions: one operation for each lane."""
