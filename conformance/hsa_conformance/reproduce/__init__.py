"""Small programs that show a failure again, made from the event file of a run and the registry."""

from hsa_conformance.reproduce.choice import failing
from hsa_conformance.reproduce.ground import Ground, NoGroundError
from hsa_conformance.reproduce.offering import Offerer, Program
from hsa_conformance.reproduce.plan import CannotReproduce, Plan
from hsa_conformance.reproduce.planning import plan_for
from hsa_conformance.reproduce.render import LANGUAGES, render

__all__ = [
    "LANGUAGES",
    "CannotReproduce",
    "Ground",
    "NoGroundError",
    "Offerer",
    "Plan",
    "Program",
    "failing",
    "plan_for",
    "render",
]
