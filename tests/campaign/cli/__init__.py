"""Commands that are interrupted again and again."""
