"""The papers' tables as data: what they print, and what of ours stands beside it."""

from collections.abc import Mapping

from errata.core.errors import SettingError
from errata.evals.papers import crag, rac, reex
from errata.evals.papers.table import PaperTable

TABLES: Mapping[str, PaperTable] = {
    table.name: table for table in (*rac.TABLES, *reex.TABLES, *crag.TABLES)
}


def table_named(name: str) -> PaperTable:
    """A table by its name, such as `rac:2`.

    Raises SettingError naming the tables if there is none of that name.
    """
    if name not in TABLES:
        raise SettingError(f"no table is called {name!r}; there is {', '.join(TABLES)}")
    return TABLES[name]
