"""What is measured: data, metrics, training and runs."""
