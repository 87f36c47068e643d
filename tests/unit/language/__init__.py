"""Holds what people read to plain English."""
