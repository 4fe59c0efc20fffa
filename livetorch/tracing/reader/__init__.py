"""What a recording asks of the reader's code: lines, names, statements, and the words when it refuses."""
