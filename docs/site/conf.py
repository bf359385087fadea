"""The site that `make site` builds of the pages where they stand."""

import sys
from typing import TYPE_CHECKING, Any

import errata

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NAVIGATION = {
    "Start": ["docs/start", "docs/commands"],
    "Use": [
        "In an agent <docs/embedding>",
        "docs/review",
        "On a server <docs/serving>",
        "In CI <docs/ci>",
        "docs/batch",
        "docs/durable",
        "docs/traces",
    ],
    "Evidence and citations": [
        "docs/documents",
        "Citations <docs/cite>",
        "docs/marks",
    ],
    "Models": [
        "Choosing a model <docs/models>",
        "docs/decisions",
        "Local code <docs/judges>",
        "docs/budgets",
        "docs/caches",
    ],
    "Methods": [
        "docs/streaming",
        "docs/rac",
        "docs/reex",
        "docs/crag",
        "packages/errata-baselines/README",
    ],
    "Results": [
        "docs/compare",
        "docs/results/*",
        "recordings/README",
        "docs/evaluation",
        "docs/metrics",
    ],
    "Reference": ["docs/site/reference", "docs/settings", "docs/architecture"],
    "Project": ["CHANGELOG", "CONTRIBUTING", "SECURITY", "tests/README"],
}
"""The pages under their headings, with a title where the page's own is not for a list."""

project = html_title = "errata"
version = release = errata.__version__
root_doc = "README"
include_patterns = [
    "*.md",
    "docs/**.md",
    "packages/*/README.md",
    "recordings/*.md",
    "tests/README.md",
]
exclude_patterns = [".*", "build", "dist"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinxcontrib.mermaid"]
suppress_warnings = ["misc.highlighting_failure"]  # code of pages leaves things out with …
default_role = "code"
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
html_theme = "furo"
html_extra_path = ["index.html"]
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = html_show_copyright = False
# Drawings become pictures here and now: no page loads anything from another host.
mermaid_output_format = "svg"
mermaid_cmd = f"{sys.executable} -m mmdr"


for name in errata.__all__:  # the reference lists what is there, and these come when first used
    setattr(errata, name, getattr(errata, name))


def add_navigation(_: "Sphinx", page: str, source: list[str]) -> None:
    """Give the first page, which a code host shows as it is, the list of all."""
    if page == root_doc:
        for heading, pages in NAVIGATION.items():
            listed = "\n".join(pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {heading}\n{listed}\n```\n"


def name_factories(*event: Any) -> tuple[str | None, str | None]:
    """Write a default that is made anew as `...`: a signature has to be Python to get links."""
    *_, signature, returned = event
    return signature and signature.replace("<factory>", "..."), returned


def setup(app: "Sphinx") -> None:
    """Register what pages and signatures need."""
    app.connect("source-read", add_navigation)
    app.connect("autodoc-process-signature", name_factories)
