"""The resources that a process holds, or leaves in the system."""
