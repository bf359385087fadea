"""Train the neural judge: data, cross-encoder, export, and what is stacked on it."""
