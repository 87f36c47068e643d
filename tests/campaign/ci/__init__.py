"""Recipes of continuous integration, carried out on fakes."""
