"""What is demanded of pages between the calls.

Where pages differ, only what the text says of such ranges is demanded.
"""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.topics.amd.svm.generators import attribute, known
from hsa_conformance.topics.amd.svm.life.pages import (
    FETCH,
    FETCHED,
    LOCATION,
    Page,
    Pages,
    some_pages,
    told,
)
from hsa_conformance.topics.amd.svm.properties.ranges import GET, SET, same_value
from hsa_conformance.topics.shared.memory import require_contents


def look_at_values(p: Player) -> None:
    """Ask for an attribute of pages that all were given it."""
    require_value(p, some_pages(p), p.one_of([*readable(p), LOCATION]))


def readable(p: Player) -> Sequence[str]:
    """Return the attributes that are asked for here."""
    # Whether execution can be asked for has a clause and a property of its own.
    return [name for name in known(p) if name != "GPU_EXEC"]


def require_value(p: Player, chosen: Sequence[Page], name: str) -> None:
    """Demand the value that all of the pages were given, if they were."""
    given = [page.values.get(name) for page in chosen]
    wanted = given[0]
    if wanted is None or None in given:
        return
    mixed = len(set(given)) > 1
    if mixed and name != "GLOBAL_FLAG":
        return
    found = told(p, chosen, (attribute(p, name), 0))
    if found is None:
        return
    if mixed:
        both = p.session.registry.constants["HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE"]
        p.claim(f"{GET}/indeterminate").require(
            equal(found[1], both), "pages of both kinds are not INDETERMINATE", found[1]
        )
    else:
        p.claim(f"{SET}/reads-back").require(
            same_value(name, found[1], wanted),
            f"{name} of {len(chosen)} pages was set to {wanted:#x}",
            f"{found[1]:#x}",
        )


def look_at_access(p: Player) -> None:
    """Ask how a GPU may access pages that it was given the same access to."""
    require_access(p, some_pages(p), p.one_of(p.notes(Pages).gpus))


def require_access(p: Player, chosen: Sequence[Page], gpu: int) -> None:
    """Demand the access that a GPU was given to all of the pages, if it was."""
    given = {page.access.get(gpu) for page in chosen}
    wanted = given.pop()
    if wanted is None or given:
        return
    found = told(p, chosen, (attribute(p, "ACCESS_QUERY"), gpu))
    if found is not None:
        p.claim(f"{GET}/access-query").require(
            equal(found[0], attribute(p, wanted)), f"the answer is not {wanted}", f"{found[0]:#x}"
        )


def look_at_locations(p: Player) -> None:
    """Ask where pages were fetched to."""
    _look_at_location(p, some_pages(p))


def _look_at_location(p: Player, chosen: Sequence[Page]) -> None:
    """Demand where pages were fetched to, unless the driver alone is asked for it."""
    places = {page.location for page in chosen}
    pending = any(page.latest for page in chosen)
    if not p.notes(Pages).waiting or 0 in places or (len(places) > 1 and not pending):
        return
    found = told(p, chosen, (attribute(p, FETCHED), 0))
    if found is None:
        return
    wanted = places.pop() if len(places) == 1 else 0
    slug = "location-pending" if pending else "location-elsewhere"
    p.claim(f"{FETCH}/{slug}").require(
        equal(found[1], wanted), f"the prefetch location is not {wanted:#x}", f"{found[1]:#x}"
    )


def look_at_contents(p: Player) -> None:
    """Read what was written to a page."""
    require_page(p, p.one_of(p.notes(Pages).every))


def require_page(p: Player, page: Page) -> None:
    """Demand what was written to a page."""
    require_contents(
        p.claim(f"{FETCH}/contents-kept"),
        page.address,
        page.content,
        "the page does not hold what was written",
    )


def look_at_all(p: Player) -> None:
    """Look at each page, and all together."""
    known_pages = p.notes(Pages)
    for chosen in [*([page] for page in known_pages.every), known_pages.every]:
        for name in [*readable(p), LOCATION]:
            require_value(p, chosen, name)
        for gpu in known_pages.gpus:
            require_access(p, chosen, gpu)
    for page in [*known_pages.every, *known_pages.around]:
        require_page(p, page)
