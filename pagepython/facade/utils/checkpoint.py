"""Checkpoints: computing again instead of keeping, which gives the same numbers; the page keeps."""


def checkpoint(function, *args, use_reentrant=None, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in functions.children() if hasattr(functions, "children") else functions:
        input = function(input)
    return input
