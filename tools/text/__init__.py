"""Text analysis: words, sentences, clauses, entities, strips."""
