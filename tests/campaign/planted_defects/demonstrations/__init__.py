"""Shows that a planted defect is there, by calls that provoke it."""
