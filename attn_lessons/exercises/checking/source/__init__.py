"""What the lines of a function say: what is ignored, what one change would mend, how far it is right."""
