"""The handles that the reference gives to agents, pools and other things."""

from __future__ import annotations

# Handles of different kinds differ in their first byte, and none of them can be an address.
AGENTS = 0xA1 << 56
CACHES = 0xA2 << 56
POOLS = 0xB1 << 56
MEMORY_HANDLES = 0xC1 << 56
ISAS = 0xD1 << 56
WAVEFRONTS = 0xD2 << 56
REGIONS = 0xE1 << 56
SIGNAL_GROUPS = 0xE2 << 56
READERS = 0xF1 << 56
EXECUTABLES = 0xF2 << 56
EXECUTABLE_SYMBOLS = 0xF3 << 56
LOADED_CODE_OBJECTS = 0xF4 << 56
CODE_OBJECTS = 0xF5 << 56
CODE_SYMBOLS = 0xF6 << 56
SAMPLING_SESSIONS = 0xF7 << 56
PROGRAMS = 0xF8 << 56
SAMPLERS = 0xB2 << 56
