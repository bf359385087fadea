"""Help in groups: the common options by `--help`, all of them by `--help-all`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from typer.core import TyperCommand

GROUPS = {
    "Input": "rows draft file files question",
    "Evidence": "more documents corpus search top_k",
    "Work": "method model roles unsupported check at_once workers anew retry_failed",
    "Limits": "max_seconds max_calls max_money "
    "batch_max_calls batch_max_tokens batch_max_money batch_max_searches batch_max_pages "
    "batch_max_seconds",
    "Output": "out cite fix in_place diff strict fields html as_form as_json stream",
}
"""The options that `--help` shows; the others stand under MORE, for `--help-all`."""
MORE = "Options"
_GROUP_OF = {name: group for group, names in GROUPS.items() for name in names.split()}
COMMON = {
    "corpus": ("--corpus <str>", "A folder of texts, or an index, to retrieve from."),
    "search": ("--search <str>", "The web's search engine, such as serpapi or searxng."),
    "top_k": ("--top-k <int>", "How many documents to retrieve for one query."),
    "model": ("--model <str>", "local, PROVIDER:MODEL or scripted:FILE, for all roles."),
    "roles": ("--role ROLE=FILLER", "What fills a single role in place of the model."),
    "unsupported": ("--unsupported flag|drop|hedge", "What becomes of unsupported claims."),
    "cite": ("--cite numbers|footnotes|links", "Mark what is supported with its sources."),
    "max_seconds": ("--max-seconds <float>", "Seconds that a run may take."),
    "max_calls": ("--max-calls <int>", "Calls to models that a run may pay for."),
    "max_money": ("--max-money <float>", "What a run's calls and searches may cost."),
}
"""The settings that `--help` shows, before any method is imported: option and help."""
_LAST = ("--set <list[str]>", "--help-all", "--help")


class GroupedCommand(TyperCommand):
    """A command whose help is in groups; `--help` shows only the common settings."""

    common: Mapping[str, tuple[str, str]] = MappingProxyType({})

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options group by group; if there are common settings, leave the others out."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                groups.setdefault(_GROUP_OF.get(each.name, MORE), []).append(record)
        for name, shown in self.common.items():
            groups.setdefault(_GROUP_OF[name], []).append(shown)
        if self.common:
            groups[MORE] = [row for row in groups[MORE] if row[0] in _LAST]
        for group in sorted(groups, key=[*GROUPS, MORE].index):
            with formatter.section(group):
                formatter.write_dl(groups[group])
