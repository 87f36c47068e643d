"""Commands that make files of the specification."""

from __future__ import annotations

import argparse

from hsa_conformance.cli.errors import CommandError, status_of


def execute_pages(options: argparse.Namespace) -> int:
    """Carry `spec pages` out."""
    from hsa_spec import load
    from hsa_spec.pages import MARK, pages
    from hsa_spec.text_defects import text_defects

    registry = load()
    made = pages(registry, text_defects(registry))
    try:
        for path, text in made.items():
            page = options.out / path
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8")
        for page in options.out.rglob("*.md"):
            # Pages of what is no longer in the registry go; pages by other hands stay.
            stale = page.relative_to(options.out).as_posix() not in made
            if stale and page.read_bytes().startswith(MARK.encode()):
                page.unlink()
    except OSError as error:
        text = f"cannot write to {options.out}: {error.strerror}; name another folder"
        raise CommandError(text, status_of(error)) from None
    print(f"{len(made)} pages in {options.out}")
    return 0


def execute_header(options: argparse.Namespace) -> int:
    """Carry `spec header` out."""
    from hsa_spec import load
    from hsa_spec.c_header import c_header
    from hsa_spec.diff import release

    try:
        wanted = release(options.release)
    except ValueError as error:
        raise CommandError(str(error)) from None
    print(c_header(load(), wanted))
    return 0
