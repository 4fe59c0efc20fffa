"""What a function does beside operators: numbers read out, given to Python, chosen by a mask."""
