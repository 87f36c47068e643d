"""Arrays of handles."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.engine.calls.values import Data


def handle_array(handles: Sequence[int]) -> Data:
    """Return an array of handles."""
    content = b"".join(int(h).to_bytes(8, "little") for h in handles)
    words = ", ".join(str(h) for h in handles)
    return Data(content, f"[{words}]", {8 * i: handle for i, handle in enumerate(handles)})
