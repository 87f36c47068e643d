"""The sorts of checks, one module for each, and which of them a clause gets (`choice`)."""
