"""What a wrong result says: which mistake it comes from, and what holds of it."""
