"""Which clauses a run is about: what people ask for, and which part of it is judged here."""
