"""What a trained encoder does with English sentences."""
