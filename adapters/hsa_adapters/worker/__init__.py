"""The part that runs beside the library: standard library only, Python 3.9 or newer.

The modules of this package are sent to the other side as source text, so they import nothing but
the standard library and each other.
"""
