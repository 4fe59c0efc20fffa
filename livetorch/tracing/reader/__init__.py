"""What a recording asks of the reader's code: lines, names, statements, what it may not do, and the words for it."""
