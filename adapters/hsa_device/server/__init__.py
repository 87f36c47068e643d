"""The device of a machine: a process that forks one for each queue with a kernel."""
