"""Code objects that the suite makes: what agents run, and what was loaded."""
