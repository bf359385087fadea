"""The metrics of the benchmarks, on worked examples."""

import pytest

from errata.core.records import Correction, Document, Verdict
from errata.evals.corrections import count_effect, cover_fact
from errata.evals.datasets.biographies import Biography
from errata.evals.datasets.claims import LabelledClaim
from errata.evals.detection import compute_figures, rate_refuted, rate_unsupported
from errata.evals.question_sets import mentions
from errata.evals.verification import cover_words


@pytest.mark.parametrize(
    ("claim", "page", "share"),
    [
        ("Ada wrote notes.", "Ada wrote many notes. She lived in London.", 1.0),
        ("Ada painted notes.", "Ada wrote many notes. She painted.", 2 / 3),
        ("Ada wrote notes.", "A page about tea.", 0.0),
    ],
)
def test_coverage_is_the_share_of_content_words_in_the_best_strip(claim, page, share):
    document = Document(id="d1", text=page)
    labelled = LabelledClaim(claim, (document,), supported=True, group="", label="supported")
    assert cover_words(labelled) == pytest.approx(share)


def test_detection_counts_false_responses_as_positive():
    assert compute_figures([True, True, False, False], [0.9, 0.4, 0.2, 0.6]) == {
        "responses": 4,
        "false": 2,
        "balanced_accuracy": 0.5,
        "f1_false": 0.5,
        "f1_true": 0.5,
        "auroc": 0.75,
    }


@pytest.mark.parametrize(
    ("label", "scores", "refuted", "unsupported"),
    [
        ("refuted", [0.9, 0.25], 1.0, 0.75),
        ("supported", [0.9, None], 0.0, 0.1),
        ("none", [], 0, 0.5),
    ],
)
def test_a_response_is_as_unsupported_as_its_weakest_claim(label, scores, refuted, unsupported):
    verdicts = tuple(Verdict(claim="c1", label="supported", score=score) for score in scores)
    correction = Correction(
        method="reex",
        question="",
        draft="",
        response="",
        changed=False,
        label=label,
        verdicts=verdicts,
    )
    assert rate_refuted(correction) == refuted
    assert rate_unsupported(correction) == pytest.approx(unsupported)


@pytest.mark.parametrize(
    ("texts", "accepted", "holds"),
    [
        (["He lived in New-York.", "Tea."], ["new york"], True),
        (["He lived in Newark."], ["New York", "Newark, NJ"], False),
        (["A cart."], ["art"], False),
        ([], ["art"], False),
    ],
)
def test_a_text_holds_an_answer_by_whole_words(texts, accepted, holds):
    assert mentions(" ".join(texts), accepted) is holds


@pytest.mark.parametrize(
    ("fact", "share"),
    [
        ("Ada wrote notes.", 1.0),
        ("Ada wrote notes about engines.", 2 / 3),
        ("Ada kept bees.", 0.5),
        ("Ada.", 1.0),
    ],
)
def test_a_fact_is_covered_by_one_sentence(fact, share):
    text = "Ada wrote notes. Ada kept engines."
    assert cover_fact(fact, text, frozenset({"ada"})) == pytest.approx(share)


def test_false_facts_are_gone_and_true_ones_kept():
    draft = "Ada was born in 1816. Ada kept bees. Ada wrote notes."
    facts = (
        ("Ada was born in 1816.", False),
        ("Ada kept bees.", False),
        ("Ada wrote notes.", True),
    )
    biography = Biography("chatgpt", "Ada", "Who was Ada?", draft, facts, google=(), gold=())
    correction = Correction(
        method="rac",
        question=biography.question,
        draft=draft,
        response="Ada was born in 1815. Ada kept bees. Ada wrote notes.",
        changed=True,
        label="refuted",
    )
    effect = count_effect([(biography, correction)])
    assert (effect.false, effect.false_gone, effect.true, effect.true_kept) == (2, 1, 1, 1)
    assert effect.correction_accuracy == 0.5
    assert effect.revision_accuracy == 2 / 3
    assert effect.true_facts_kept == 1.0
