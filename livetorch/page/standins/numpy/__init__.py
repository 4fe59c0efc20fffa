"""NumPy is not in the page: it can be imported and given a seed, and says so when it is used."""

import absent


class random:  # noqa: N801
    """Nothing draws from it here."""

    @staticmethod
    def seed(_seed: int) -> None:
        """There is nothing to set."""


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return absent.make(f"numpy.{name}")
