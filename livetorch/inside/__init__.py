"""What a recorded model does inside: its maps of attention, and a figure of them."""
