"""How Sphinx builds one site of the documentation; `tox run -e site` runs it on the whole project."""

from __future__ import annotations

import gc
from importlib.metadata import version as of
from posixpath import dirname
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# The search for garbage in the trees of pages took half of a build. Without it, a process needs 0.6 GB.
gc.disable()

project = "hsa-conformance"
author = "the developers of hsa-conformance"
version = release = of("hsa-conformance")

root_doc = "docs/index"
include_patterns = ["*.md", "**/README.md", "docs/**.md", "reports/published/*.md"]
exclude_patterns = [".*", "**/.*", "dist", "runs", "**/site-packages"]

extensions = ["myst_parser", "sphinxcontrib.mermaid"]
# Links name headings as they do where the pages are read in the repository.
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
# Functions and findings are reached by the tables of their topics: a menu of all would be no help.
# The comparison of releases is a part of a page.
suppress_warnings = ["toc.not_included", "myst.header"]

highlight_language = "text"
# The names of options begin with two hyphens, which would become a dash.
smartquotes = False

html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["style.css"]
html_copy_source = False


def setup(app: Sphinx) -> None:
    """Render the menu once for a folder, not once for each of its pages that the menu lacks."""
    menus: dict[str, str] = {}

    def share(_: Sphinx, page: str, template: str, context: dict[str, Any], *__: object) -> None:
        listed = set().union(*app.env.toctree_includes.values())
        if "toctree" not in context or page in listed:
            return
        render, folder = context["toctree"], dirname(page)

        def menu(**options: Any) -> str:
            if folder not in menus:
                menus[folder] = render(**options)
            return menus[folder]

        context["toctree"] = menu

    app.connect("html-page-context", share, priority=400)  # the theme asks for it at 500
