"""Times of the day (19:30, 7.30 pm, 3 pm) and weekdays."""

import re
from functools import lru_cache
from typing import NamedTuple

WEEKDAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?=s?\b)")
NOON = 12
HOUR = 60
_TIME = re.compile(
    r"(?<![\d.:,])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?"
    r" ?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\d.:,])(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?![\d:])",
    re.IGNORECASE,
)


class Time(NamedTuple):
    """A time of the day in a text."""

    start: int
    end: int
    text: str
    minutes: int
    """Minutes after midnight."""


@lru_cache(maxsize=4096)
def find_times(text: str) -> tuple[Time, ...]:
    """The times of the day in a text, from left to right.

    >>> [time.minutes for time in find_times("It opens at 7:30 pm, not at 19:00.")]
    [1170, 1140]
    """
    return tuple(
        Time(match.start(), match.end(), match.group(), _minutes(match))
        for match in _TIME.finditer(text)
    )


def _minutes(match: re.Match[str]) -> int:
    if match["hour24"]:
        return int(match["hour24"]) * HOUR + int(match["minute24"])
    hour = int(match["hour"]) % NOON + NOON * (match["half"].lower() == "p")
    return hour * HOUR + int(match["minute"] or 0)
