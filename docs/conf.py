"""How Sphinx builds one site of the documentation; `tox run -e site` runs it on the whole project."""

from importlib.metadata import version as of

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

html_theme = "furo"
html_title = project
