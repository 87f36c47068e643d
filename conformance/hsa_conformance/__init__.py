"""The suite: engine, strategies, tests by topic, command line and pytest plugin."""
