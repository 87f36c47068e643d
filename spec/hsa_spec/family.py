"""Functions that differ only in spelling: written once, and expanded.

A function document with a key `family` stands for one function for each of its members. A member
gives a text for each name in braces, such as `{order}` in `hsa_signal_add_{order}`; the keys
`deprecated` and `since` of a member become the function's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from hsa_spec.documents import Document


def expanded(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the documents, with each family replaced by its members.

    Raises:
        RegistryError: a family is not a list of mappings from names to texts.

    """
    for document in documents:
        if "family" not in document.data:
            yield document
            continue
        members = document.data["family"]
        common = {key: value for key, value in document.data.items() if key != "family"}
        if not isinstance(members, list) or not members:
            raise document.error(["family"], "family: expected a list of mappings")
        for index, member in enumerate(members):
            if not _is_member(member):
                rule = "family: expected a mapping from names to texts"
                raise document.error(["family", index], rule)
            yield replace(document, data=_member(common, member))


#: What a member gives that is no text to fill in, or is more than that.
_OWN: Final = ("deprecated", "since")


def _is_member(member: object) -> bool:
    return isinstance(member, dict) and all(
        isinstance(name, str) and (isinstance(text, str) or name == "since")
        for name, text in member.items()
    )


def _member(common: Mapping[str, Any], member: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: text for name, text in member.items() if name not in _OWN}
    return {**_filled(common, texts), **{key: member[key] for key in _OWN if key in member}}


def _filled(value: Any, texts: Mapping[str, str]) -> Any:  # noqa: ANN401 - any part of a document
    if isinstance(value, str):
        # Not str.format: a text may well have braces of its own.
        for name, text in texts.items():
            value = value.replace(f"{{{name}}}", text)
        return value
    if isinstance(value, dict):
        return {key: _filled(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, texts) for part in value]
    return value
