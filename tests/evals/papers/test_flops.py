"""The count of operations, by hand."""

import pytest

from errata.evals.papers.crag import predict_flops
from errata.evals.papers.measures import LLAMA_2_7B, T5_LARGE, Transformer, count_flops


def test_a_small_transformer_counted_by_hand():
    # Width 2, 3 tokens, a layer: 8 sh² of projections, 4 s²h of attention, 16 sh² of feed-forward.
    layer = 8 * 3 * 4 + 4 * 9 * 2 + 16 * 3 * 4
    assert layer == 360
    assert count_flops(Transformer(layers=1, hidden=2), 3) == pytest.approx(360)
    assert count_flops(Transformer(layers=5, hidden=2), 3) == pytest.approx(5 * 360)
    # Logits of 7 words: 2 shV.
    assert count_flops(Transformer(layers=5, hidden=2, vocabulary=7), 3) == pytest.approx(1884)


def test_llama_reads_a_token_for_about_two_operations_a_weight():
    per_token = count_flops(LLAMA_2_7B, 1)
    assert per_token == pytest.approx(2 * 6.57e9, rel=0.01)


def test_every_text_that_is_read_costs_the_same():
    one = count_flops(LLAMA_2_7B, 2048)
    judged = count_flops(T5_LARGE, 512)
    assert predict_flops("RAG").value == one
    assert predict_flops("CRAG").value == one + judged
    self_rag, self_crag = predict_flops("Self-RAG"), predict_flops("Self-CRAG")
    assert (self_rag.value, self_rag.low, self_rag.high) == (None, one, 5 * one)
    assert (self_crag.low, self_crag.high) == (one + judged, 3 * one + judged)
