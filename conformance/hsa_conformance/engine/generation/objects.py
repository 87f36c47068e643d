"""The objects of the machine among a function's arguments, of which each sort is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from hsa_conformance.engine.calls.symbols import label_of
from hsa_conformance.engine.generation.atoms import about
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_spec import Function
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import Apply


class Objects:
    """The agents, pools and the like that a clause is tried with sort by sort.

    Args:
        function: what is called.
        repertoire: knows what there is on the machine.
        swept: names of the parameters that the clause is tried with value by value.
        valid: what has to hold for a call to succeed.
        own: what the clause asks for.

    """

    def __init__(
        self,
        function: Function,
        repertoire: Repertoire,
        swept: Sequence[str],
        valid: Sequence[Atom],
        own: Sequence[Atom],
    ) -> None:
        types = {name: function.parameter[name].type for name in swept}
        self._things = {
            name: repertoire.machine[ctype]
            for name, ctype in types.items()
            if ctype in repertoire.machine
        }
        self._wanted = {name: about(name, own) or about(name, valid) for name in self._things}

    def pin(self, builder: Builder) -> None:
        """Offer what there is, and fix what the example has to be made with."""
        axes = builder.session.axes
        builder.objects = {
            name: label.noun
            for name, things in self._things.items()
            for label in map(label_of, things(builder)[:1])
            if label
        }
        for name in self._things:
            sorts = self._admitted(builder, name)
            axes.on_machine = True
            axes.objects.add(name)
            axes.offer(name, sorts)
            if name in axes.pins:
                builder.fix(name, builder.one_of(sorts.get(axes.pins[name], [])))

    def note(self, builder: Builder) -> None:
        """Note the objects that the call is made with."""
        axes = builder.session.axes
        for name, things in self._things.items():
            for thing in things(builder):
                label = label_of(thing)
                if (
                    label
                    and label.words in axes.offered[name]
                    and thing.handle == builder.number(name)
                ):
                    axes.chosen[name] = label.words

    def _admitted(self, builder: Builder, name: str) -> Mapping[str, list[int]]:
        """Return the handles for which what is wanted of this parameter alone holds, by sort.

        What is said of no object as yet, such as that it is in use, is made to hold later.
        """
        handles = [thing.handle for thing in self._things[name](builder)]
        wanted = [
            atom
            for atom in self._wanted[name]
            if not isinstance(atom.node, Apply)
            or builder.fitting(name, handles, partial(builder.may_hold, atom))
        ]
        found: dict[str, list[int]] = {}
        for handle in builder.fitting(
            name, handles, lambda: all(builder.may_hold(atom) for atom in wanted)
        ):
            if label := label_of(handle):
                found.setdefault(label.words, []).append(handle)
        return found
