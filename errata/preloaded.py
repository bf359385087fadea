"""What every local run needs in memory, loaded by importing this module.

A process that imports it and then forks its workers, as multiprocessing's forkserver does, shares
these pages with all of them: the method's graph, the tables of words and languages, and the
cross-encoder. Nothing here has started a thread yet, which a fork would lose.
"""

import ctypes
import gc

import errata.graphs.rac  # noqa: F401  the graph that most batches run
from errata.tools.judges.cross_encoder import is_available, load_cross_encoder
from errata.tools.judges.findings import load_encoder, read_verifier_weights
from errata.tools.text.language import detect_sentence
from errata.tools.text.sentences import new_index
from errata.tools.text.words import synonyms_of


def load() -> None:
    """Read the tables and the weights that would otherwise be read at their first use."""
    synonyms_of("physician")
    detect_sentence("Lovelace starb 1852 in London.")
    new_index()
    load_encoder(read_verifier_weights())
    if is_available():
        load_cross_encoder("")
    gc.collect()
    give_back()
    gc.freeze()  # a collection in a worker would write to every shared object


def give_back() -> None:
    """Return to the system what loading has freed, if the C library can."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


load()
