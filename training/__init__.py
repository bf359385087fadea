"""Training of the local judges: the cross-encoder, the verifier and the evaluator."""
