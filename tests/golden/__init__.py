"""Golden cases: literal calls and their literal answers, by the headers alone."""
