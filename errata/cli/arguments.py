"""What the words after a command mean where the parser of options would take them otherwise."""

from collections.abc import Iterator, Sequence

DRAFT = ("--draft", "-d")
STRICT = ("refuted", "supported")
"""What `--strict` may be; alone it is the first."""


def spell_out(arguments: Sequence[str]) -> list[str]:
    """The arguments with an option for each draft, and a value for each `--strict`.

    >>> spell_out(["--draft", "a.txt", "b.txt", "--strict"])
    ['--draft', 'a.txt', '--draft', 'b.txt', '--strict=refuted']
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [*_with_values(_with_drafts(arguments[:end])), *arguments[end:]]


def _with_drafts(arguments: Sequence[str]) -> Iterator[str]:
    """Every word that follows a draft is a further draft, up to the next option."""
    before, in_drafts = "", False
    for argument in arguments:
        is_option = argument.startswith("-") and argument != "-" and before not in DRAFT
        if in_drafts and not is_option and before not in DRAFT:
            yield DRAFT[0]
        in_drafts = argument.partition("=")[0] in DRAFT if is_option else in_drafts
        yield argument
        before = argument


def _with_values(arguments: Iterator[str]) -> Iterator[str]:
    words = list(arguments)
    for number, word in enumerate(words):
        follows = number > 0 and words[number - 1] == "--strict" and word in STRICT
        value = words[number + 1] if words[number + 1 : number + 2] else ""
        if word == "--strict":
            yield f"--strict={value if value in STRICT else STRICT[0]}"
        elif not follows:
            yield word
