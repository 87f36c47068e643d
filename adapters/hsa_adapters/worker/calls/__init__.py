"""Makes the calls of a process: functions bound, memory laid out, each call recorded first."""
