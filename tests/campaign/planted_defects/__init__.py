"""Libraries with a defect that one thread and a driver that never refuses do not show."""
