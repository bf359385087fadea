"""The shipped cross-encoder: what it reads, and judges without it."""

import pytest

from errata.tools.judges.cross_encoder import load_cross_encoder
from errata.tools.judges.entailment import read_entailment
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.findings import read_verifier_weights
from errata.tools.judges.verifier import verify
from example import claims_of, pages_of


def test_lexical_weights_need_no_cross_encoder():
    for load in (read_verifier_weights, load_local_evaluator):
        assert (load().neural, load("lexical").neural) == (True, False)
    claims = claims_of("The Eiffel Tower was opened in 1889.")
    pages = pages_of("The Eiffel Tower was opened on 31 March 1889.")
    [verdict] = verify("", claims, pages, "lexical")
    assert verdict.label == "supported"


def test_it_is_loaded_only_where_needed(run_python):
    code = "import sys, errata.tools.judges.verifier; print('onnxruntime' in sys.modules)"
    assert run_python(code) == "False\n"


TOWER = (
    "The Eiffel Tower was designed by the company of Gustave Eiffel. "
    "It was opened on 31 March 1889. Bees are not kept there. It stands in Paris."
)
EVIDENCE = collect_evidence(frozenset(), pages_of(TOWER))


def read(*claims, evidence=EVIDENCE):
    readings = [read_claim(claim, "What is the Eiffel Tower?") for claim in claims]
    return read_entailment(readings, evidence, load_cross_encoder())


@pytest.mark.parametrize(
    ("true", "false", "against"),
    [
        ("It was opened on 31 March 1889.", "It was opened on 31 March 1911.", "31 March 1889"),
        ("The Eiffel Tower is in Paris.", "The Eiffel Tower is in London.", "in Paris"),
    ],
)
def test_true_claims_are_entailed_and_the_strip_that_contradicts_is_found(true, false, against):
    (borne_out,), (refuted,) = read(true), read(false)
    assert borne_out.features["entailed"] > refuted.features["entailed"]
    assert refuted.refuted > borne_out.refuted
    assert against in refuted.strip.text
    assert borne_out.strip is None
    assert read(true, false, true) == [borne_out, refuted, borne_out]
