"""Citation marks put into real paragraphs by rule, in every form, with what should be found."""

import re
from dataclasses import dataclass

from errata.tools.text.prose import read_passages, read_sentences

NAMES = "Marwood Okereke Dyce Pell Lindqvist O'Hara Nakamura Silva-Reyes Weiss Tanaka".split()
GROUPS = ("Teasel Vale Farmers' Union", "World Health Organization", "Ministry of Works")
TITLES = "A count of birds|Minutes of the council|How lifts were built: a study|Rivers".split("|")


@dataclass
class Source:
    """A made source: its number, authors, year, title and address."""

    number: int
    authors: list[str]
    year: str
    title: str

    @property
    def url(self):
        return f"https://example.test/{self.number}/{self.title.split()[0].lower()}"

    @property
    def cited(self):
        first, *others = self.authors
        if len(others) > 1:
            return f"{first} et al."
        return f"{first} and {others[0]}" if others else first

    @property
    def entry(self):
        inverted = [f"{a}, {a[1].upper()}." if " " not in a else a for a in self.authors]
        *first, last = inverted
        joined = f"{', '.join(first)} and {last}" if first else last
        return f"{joined} ({self.year}). {self.title}. {self.url}"


def make_sources(chance):
    sources, used = [], set()
    while len(sources) < 9:
        authors = chance.sample(NAMES, chance.choice((1, 1, 2, 3)))
        authors = [chance.choice(GROUPS)] if chance.random() < 0.15 else authors
        year = str(chance.randint(1950, 2024))
        if (authors[0], year) not in used:
            used.add((authors[0], year))
            sources.append(Source(len(sources) + 1, authors, year, chance.choice(TITLES)))
    return sources


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
FORMS = {
    "[1]": (1, lambda s, _: f"[{s[0].number}]", "number"),
    "[1, 3]": (2, lambda s, c: f"[{c.choice((', ', ',', '; ')).join(_numbers(s))}]", "number"),
    "[2-4]": (3, lambda s, c: f"[{s[0].number}{c.choice('-–')}{s[-1].number}]", "number"),
    "(1)": (1, lambda s, _: f"({s[0].number})", "number"),
    "superscript": (1, lambda s, _: str(s[0].number).translate(RAISED), "number"),
    "<sup>": (1, lambda s, _: f"<sup>{s[0].number}</sup>", "number"),
    "【1†source】": (1, lambda s, _: f"【{s[0].number}†source】", "number"),
    "[^1]": (1, lambda s, _: f"[^{s[0].number}]", "footnote"),
    "[^note]": (1, lambda s, _: f"[^{s[0].authors[0].split()[0].lower()}{s[0].year}]", "notes"),
    "([label](url))": (1, lambda s, _: f"([{s[0].title}]({s[0].url}))", "none"),
    "[(label)](url)": (1, lambda s, _: f"[({s[0].title})]({s[0].url})", "none"),
    "two links": (2, lambda s, _: f"({', '.join(f'[{x.title}]({x.url})' for x in s)})", "none"),
    "[1](url)": (1, lambda s, _: f"[{s[0].number}]({s[0].url})", "none"),
    "(url)": (1, lambda s, _: f"({s[0].url})", "none"),
    "bare url": (1, lambda s, _: s[0].url, "none"),
    "words linked": (1, lambda s, _: s[0].url, "none"),
    "(A, year)": (1, lambda s, _: f"({_cited(s[0])})", "authors"),
    "(A, year; B, year)": (2, lambda s, _: f"({_cited(s[0])}; {_cited(s[1])})", "authors"),
    "A (year)": (1, lambda s, _: f"({s[0].year})", "authors"),
}
"""By name: how many sources a mark names, its text, and which list stands below."""


def _numbers(sources):
    return [str(source.number) for source in sources]


def _cited(source):
    return f"{source.cited}, {source.year}"


def list_of(kind, sources, chance):
    """The list of references below the text."""
    if kind == "none":
        return ""
    if kind in ("footnote", "notes"):
        names = [
            str(s.number) if kind == "footnote" else f"{s.authors[0].split()[0].lower()}{s.year}"
            for s in sources
        ]
        return "\n".join(f"[^{n}]: {s.entry}" for n, s in zip(names, sources, strict=True))
    heads = ("## References", "**Sources:**", "Works cited", "# Bibliography", "Notes")
    head = chance.choice(heads)
    if kind == "authors":
        gap, bullet = chance.choice((("\n\n", ""), ("\n", "- "), ("\n", "* ")))
        return f"{head}\n\n" + gap.join(bullet + s.entry for s in sources)
    label = chance.choice(("[{}] ", "{}. ", "[{}]: ", "- [{}] ", "({}) "))
    return f"{head}\n\n" + "\n".join(label.format(s.number) + s.entry for s in sources)


def inject(paragraphs, form, chance):
    """A draft with marks; of each its sentence, text and addresses; and all sentences."""
    count, write, kind = FORMS[form]
    sources, puts, sentences, parts = make_sources(chance), [], [], []
    inside = chance.random() < 0.5
    for paragraph in paragraphs:
        [passage] = read_passages(paragraph)
        out = []
        for a, b in read_sentences(passage):
            words = sentence = passage.text[a:b]
            if chance.random() < 0.5 and sentence[-1:] == "." and sentence[0].isupper():
                start = chance.randrange(len(sources) - count + 1)
                named = sources[start : start + count]
                if "-" not in form:
                    named = sorted(chance.sample(sources, count), key=lambda s: s.number)
                mark = write(named, chance)
                sentence, words, mark = put(sentence, mark, form, named[0], inside=inside)
                puts.append((words, mark, tuple(s.url for s in named)))
            sentences.append(words)
            out.append(sentence)
        parts.append(" ".join(out))
    below = list_of(kind, sources, chance)
    draft = "\n\n".join((*parts, below)) if below else "\n\n".join(parts)
    return draft, puts, sentences


def put(sentence, mark, form, source, *, inside):
    """The sentence with the mark, how it reads without it, and the mark as it stands."""
    if form == "A (year)":
        said = f"found that {sentence}"
        return f"{source.cited} {mark} {said}", f"{source.cited} {said}", mark
    if "words" in form:
        first, second, rest = (*sentence.split(" ", 2), "", "")[:3]
        label = f"{first} {second}"
        link = f"[{label}]({mark})"
        return f"{link} {rest}".rstrip(), sentence, link
    gap = "" if re.match(r"<|【|\[\^|[⁰-⁹¹²³]", mark) else " "
    if form == "bare url":
        return f"{sentence} {mark}", sentence, mark
    if inside:
        return f"{sentence[:-1]}{gap}{mark}.", sentence, mark
    return f"{sentence}{gap}{mark}", sentence, mark
