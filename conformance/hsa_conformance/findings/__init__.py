"""The findings in real libraries, and what reports say of the causes that baselines name."""
