"""Where each tensor of a recording lives, and what is written through another one."""
