"""Local judges: the verifier of claims, the evaluator of relevance."""
