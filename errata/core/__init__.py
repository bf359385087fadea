"""What all rooms stand on; it imports nothing of ours."""
