"""The costs of the published programs, and the table that shows ours beside them."""

from collections.abc import Mapping
from typing import NamedTuple

_INTRODUCTION = """\
# Costs

What one biography costs: means of {inputs}, corrected by {endpoint}. Written by `make bench-costs`.

- **form**: the method's own settings, or `profile="paper"`, which is the paper's settings with
  prompts in our words.
- **calls**: requests to the model. **waits**: how many of them had to be made one after another.
- **prompt tokens**, **completion tokens**: as the endpoint counts them.
- **searches**, **pages**: queries to the search engine, and web pages that were read.
- **published**: the authors' own program, measured once on 20 of FActScore's biographies (which 20
  was not kept) with another simulated endpoint, whose replies hold other numbers of claims and
  errors: compare magnitudes.

"""
_HEAD = (
    "method",
    "form",
    "calls",
    "waits",
    "prompt tokens",
    "completion tokens",
    "searches",
    "pages",
    "published: calls",
    "prompt tokens",
)


class Published(NamedTuple):
    """What a published program costs for one biography, each as it was measured."""

    calls: str
    prompt_tokens: str


PUBLISHED: Mapping[str, Published] = {
    "rac": Published("8.9", "5.3K"),
    "cove": Published("13.9", "1.8K to 3.6K"),
    "rarr": Published("21.6", "38K"),
    "ever": Published("55", "31K"),
    "critic": Published("12", "43K"),
    "factool": Published("34", "19K"),
}
"""By method; CoVE's are two programs, FacTool's gives verdicts alone."""


def write_table(
    rows: Mapping[tuple[str, str], Mapping[str, float]], inputs: str, endpoint: str
) -> str:
    """A page with a row for each method and form, by `costs.measure_all`."""
    lines = [_HEAD, ("---",) * len(_HEAD)]
    lines += [_row(method, profile, costs) for (method, profile), costs in rows.items()]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return _INTRODUCTION.format(inputs=inputs, endpoint=endpoint) + table + "\n"


def _row(method: str, profile: str, costs: Mapping[str, float]) -> tuple[str, ...]:
    theirs = PUBLISHED.get(method, Published("", ""))
    return (
        method,
        profile or "default",
        f"{costs['calls']:.1f}",
        f"{costs['generations']:.1f}",
        f"{costs['prompt_tokens']:.0f}",
        f"{costs['completion_tokens']:.0f}",
        f"{costs['searches']:.1f}",
        f"{costs['pages']:.1f}",
        *theirs,
    )
