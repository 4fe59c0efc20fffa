"""What the lessons study and ask."""
