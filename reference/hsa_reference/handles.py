"""The handles that the reference gives to agents, pools and other things."""

from __future__ import annotations

# Handles of different kinds differ in their first byte, and none of them can be an address.
AGENTS, POOLS, MEMORY_HANDLES, ISAS, REGIONS, CACHES, WAVEFRONTS = (
    kind << 56 for kind in (0xA1, 0xB1, 0xC1, 0xD1, 0xE1, 0xA2, 0xD2)
)
