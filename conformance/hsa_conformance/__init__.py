"""The suite: engine, topics, command line and pytest plugin."""
