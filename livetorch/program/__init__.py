"""What travels to the page: a Program, its encoding, its operators, its errors."""
