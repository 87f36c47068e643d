"""Small programs that show a failure again, made from the event file of a run and the registry."""

from hsa_conformance.reproduce.plans.plan import CannotReproduce, Plan
from hsa_conformance.reproduce.plans.planning import plan_for
from hsa_conformance.reproduce.programs.render import LANGUAGES, render
from hsa_conformance.reproduce.trying.choice import failing, failing_values
from hsa_conformance.reproduce.trying.offering import Offerer, Program
from hsa_conformance.reproduce.trying.target import NoTargetError, Target

__all__ = [
    "LANGUAGES",
    "CannotReproduce",
    "NoTargetError",
    "Offerer",
    "Plan",
    "Program",
    "Target",
    "failing",
    "failing_values",
    "plan_for",
    "render",
]
