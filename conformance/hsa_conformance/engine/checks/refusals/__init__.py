"""Checks of calls during which the driver or the C library refuses something.

Which request of a call is refused depends on the clause:

- any request that the function makes (`any_request.py`): `ways.py` chooses a request of the driver,
  `memory_ways.py` a request for memory; `function.py` counts both in valid calls first;
- a request for the resource that the clause names (`exhaustion.py`): `driver_calls.py` chooses it.

`arming.py` arms each of them for one call.
"""
