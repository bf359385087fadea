"""Texts that Hypothesis draws."""

from hypothesis import strategies as st

SHORT_TEXTS = st.text(alphabet=st.sampled_from("ab é日.,\n1😀"), max_size=60)
_WORDS = [*'He was born, and won "A" ; .', " and ", " who was ", "1900", "She ", "\n", "Ada"]
DRAFTS = st.lists(st.sampled_from(_WORDS), max_size=60).map("".join)
"""Words and marks in any order, as a parser of clauses may meet them."""
