"""The shipped cross-encoder: its logits, its cache, and the judges without it."""

import pytest

from errata.records import Claim, Document
from errata.tools.judges.cross_encoder import MAX_TOKENS, is_available, load_cross_encoder
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.verifier import read_verifier_weights, verify


def test_it_ships_with_the_package():
    assert is_available()


def test_logits_do_not_depend_on_the_batch():
    pairs = [("Bees fly.", "Bees can fly."), ("x", "y " * 300), ("", "")]
    alone = [load_cross_encoder().logits([pair])[0] for pair in pairs]
    together = load_cross_encoder().logits([*reversed(pairs), *pairs])
    assert together[3:] == alone
    assert together[:3] == alone[::-1]


def test_long_texts_are_cut():
    long = "word " * 10 * MAX_TOKENS
    assert load_cross_encoder().logits([("a claim", long)])[0] == pytest.approx(
        load_cross_encoder().logits([("a claim", long + "more")])[0], abs=1e-4
    )


def test_lexical_weights_need_no_cross_encoder():
    assert read_verifier_weights().neural
    assert not read_verifier_weights("lexical").neural
    assert load_local_evaluator().weights.neural
    assert not load_local_evaluator("lexical").weights.neural
    claim = Claim(id="c1", text="The Eiffel Tower was opened in 1889.", start=0, end=36)
    tower = Document(id="d1", text="The Eiffel Tower was opened on 31 March 1889.")
    [verdict] = verify("", [claim], [tower], "lexical")
    assert verdict.label == "supported"


WITHOUT_ONNXRUNTIME = """
import sys
sys.modules["onnxruntime"] = None
from errata.tools.judges.cross_encoder import is_available
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.verifier import read_verifier_weights
print(is_available(), read_verifier_weights().neural, load_local_evaluator().weights.neural)
"""


def test_without_its_packages_the_judges_are_lexical(run_python):
    assert run_python(WITHOUT_ONNXRUNTIME) == "False False False\n"


def test_importing_the_verifier_does_not_load_onnxruntime(run_python):
    code = "import sys, errata, errata.tools.judges.verifier; print('onnxruntime' in sys.modules)"
    assert run_python(code) == "False\n"
