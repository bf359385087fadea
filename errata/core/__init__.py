"""What all other packages are built on; it imports none of them."""
