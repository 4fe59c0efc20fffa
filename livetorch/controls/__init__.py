"""What a hand moves."""
