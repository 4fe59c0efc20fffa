"""Write attn_lessons/studies/vision/digits.csv.gz and digits_split.txt, so that reading them needs no
scikit-learn.

Run `python tools/recipes/make_digits.py` with scikit-learn installed (`pip install
scikit-learn==1.7.2`). The images are a copy of the file that comes with it.

The split is made once and stored:

- validation: the 360 images on which the settings of the vision transformer were chosen (a stratified
  fifth, random_state=0);
- test: 360 of the other 1,437, stratified, random_state=2026. No choice has looked at a score on them;
- training: the remaining 1,077.
"""

from importlib.resources import files
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

FOLDER = Path(__file__).parents[2] / "attn_lessons" / "studies" / "vision"
LETTERS_A_LINE = 100


def split_letters(labels: np.ndarray) -> str:
    """Return one letter for each image: t (training), v (validation) or e (test, the final evaluation)."""
    others, validation = train_test_split(
        np.arange(len(labels)), test_size=360, stratify=labels, random_state=0
    )
    _, test = train_test_split(others, test_size=360, stratify=labels[others], random_state=2026)
    letters = np.full(len(labels), "t")
    letters[validation], letters[test] = "v", "e"
    return "".join(letters)


if __name__ == "__main__":
    packed = files("sklearn.datasets.data").joinpath("digits.csv.gz").read_bytes()
    FOLDER.joinpath("digits.csv.gz").write_bytes(packed)
    letters = split_letters(load_digits().target)
    lines = [letters[i : i + LETTERS_A_LINE] for i in range(0, len(letters), LETTERS_A_LINE)]
    FOLDER.joinpath("digits_split.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
