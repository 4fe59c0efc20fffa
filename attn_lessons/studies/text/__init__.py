"""Characters of a book, and the model that writes them."""
