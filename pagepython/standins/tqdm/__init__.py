"""tqdm in the page: the loop without its bar, for which there is no place."""


class tqdm:  # noqa: N801
    """Go through things."""

    def __init__(self, iterable=None, desc=None, total=None, **_) -> None:
        self.iterable, self.desc, self.total, self.n = iterable, desc, total, 0

    def __iter__(self):
        for one in self.iterable:
            yield one
            self.n += 1

    def __len__(self) -> int:
        return len(self.iterable) if self.total is None else self.total

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        pass

    def update(self, n=1) -> None:
        self.n += n

    def set_description(self, desc=None, refresh=True) -> None:
        self.desc = desc

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs) -> None:
        """There is no bar behind which something could stand."""

    set_description_str = set_description
    set_postfix_str = refresh = close = reset = set_postfix

    @staticmethod
    def write(s, file=None, end="\n", nolock=False) -> None:
        print(s, file=file, end=end)


def trange(*args, **kwargs) -> tqdm:
    """Go through numbers."""
    return tqdm(range(*args), **kwargs)
