"""Text, taken apart: words, sentences, clauses, entities, strips."""
