"""A folder as a corpus, and its documents ranked."""

import pytest

from errata.core.errors import InputError
from errata.tools.retrieval.folder import FolderCorpus, read_corpus


def test_a_corpus_without_texts_is_an_error(tmp_path):
    with pytest.raises(InputError, match="has no file that can be read: no "):
        read_corpus(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        read_corpus(tmp_path / "gone")


def test_every_page_of_the_demo_corpus_ranks_first_for_its_subject(root):
    documents = read_corpus(root / "demo" / "corpus")
    assert len(documents) == 20
    corpus = FolderCorpus(documents)
    for document in documents:
        best = corpus.best(f"Tell me about {document.title}.", 3)
        assert best[0].title == document.title
        assert best[0].score is not None
