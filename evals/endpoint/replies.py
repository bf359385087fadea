"""What the simulated model replies to each of our templates, made from the request alone.

A reply has the template's form and goes by the words of the texts in its tagged blocks, so that a
run takes the path that it takes with a capable model; what it decides says nothing about quality.
Templates whose form does not tell what to reply have a maker in `papers.MAKERS` or
`baselines.MAKERS`, or one that their method declares, by stem (`rac/correct`, also for
`rac/correct.drop`) or by step (`generate`); all others are replied to by their form, by
`forms.FORMS`.
"""

from functools import cache

from errata.core.errors import PromptError
from errata.evals.endpoint import baselines, papers
from errata.evals.endpoint.asked import Asked, Maker
from errata.evals.endpoint.forms import maker_for
from errata.methods import METHODS
from errata.prompts.library import load_prompt, stem_of

MAKERS: dict[str, Maker] = {**papers.MAKERS, **baselines.MAKERS}
"""The longest name counts, and a stem before a step."""


def reply_to(name: str, text: str) -> str:
    """The reply to a filled template, by its name; or to a text that is none of ours."""
    stem, form, maker = _maker_named(name)
    return maker(Asked.read(stem, form, text))


@cache
def _maker_named(name: str) -> tuple[str, str, Maker]:
    """A template's stem, its form and the maker of its replies."""
    try:
        method = METHODS.get(name.partition("/")[0])  # importing it makes its templates known
        stem, form = stem_of(name), load_prompt(name).head.reply.lower()
    except PromptError:
        return "", "", maker_for("")
    parts = stem.split(".")
    stems = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    names = [*stems, *(each.partition("/")[2] for each in stems)]
    makers = MAKERS | dict(method.makers if method else {})
    named = (makers[each] for each in names if each in makers)
    return stem, form, next(named, None) or maker_for(form)
