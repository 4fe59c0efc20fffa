"""A Program held against its function: on the example, on moved inputs, in the page's own runtime."""
