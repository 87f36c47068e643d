"""The memory orders in names of functions."""

from __future__ import annotations

# HSA puts all its synchronizing operations in one order, which "sc" in a name says; the older names
# without it mean the same.
_ACQUIRING = ("scacquire", "acquire")
_RELEASING = ("screlease", "release")

LOADS = ("relaxed", *_ACQUIRING)
STORES = ("relaxed", *_RELEASING)
#: Those of operations that do both.
ALL = ("scacq_screl", "acq_rel", *_ACQUIRING, "relaxed", *_RELEASING)
