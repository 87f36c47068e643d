"""From a name to its code: every place where something of that name is written.

Each module of this package finds the places of one sort of names. What the source tree has and an
installed package lacks, such as golden cases, is left out there.
"""

from hsa_conformance.where.names import Unknown, where
from hsa_conformance.where.place import Place

__all__ = ["Place", "Unknown", "where"]
