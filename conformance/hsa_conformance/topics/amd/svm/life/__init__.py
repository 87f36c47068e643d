"""Random sequences on ranges that overlap: attributes, access, and prefetches that may wait.

Every page is known by itself: setting a part changes only that part, and a range of several pages
has what all of them have.
"""

from hsa_conformance.engine.checks.random_programs.player import Life
from hsa_conformance.topics.amd.svm.life import looks, pages
from hsa_conformance.topics.amd.svm.properties.ranges import SET

LIFE = Life(
    clause=f"{SET}/success",
    name="sequences on several ranges",
    notes=pages.Pages,
    openings=((pages.set_values, pages.fetch),),
    acts=(
        *3 * (pages.set_values, pages.fetch),
        *2 * (pages.set_access, looks.look_at_values, looks.look_at_locations),
        *(pages.let_go, pages.write, looks.look_at_access, looks.look_at_contents),
    ),
    closing=(pages.let_all_go, looks.look_at_all),
    fresh=True,
    examples=0.5,
)
