"""Tables, texts and carried tensors: what is refused, and the three forms of a setting."""

import pytest
import torch

from livetorch import Carry, Mask, Matrix, Points, State, Text


def test_points_on_a_line_reach_the_function_as_a_vector():
    points = Points([0.0, 1.0, 2.0])
    assert points.to_inputs("q", points.default)["q"].shape == (3,)
    assert points.to_js(points.default) == [[0.0], [1.0], [2.0]]
    assert points.from_js([[3.0], [1.0], [2.0]]) == [3.0, 1.0, 2.0]


WRONG_TABLES = {
    "points of rank 3": (lambda: Points(torch.zeros(2, 2, 2)), ValueError, r"\(points, 2\).*got \(2, 2, 2\)"),
    "points in space": (lambda: Points([[0, 0, 0]]), ValueError, r"\(points, 2\)"),
    "labels": (lambda: Points([[0, 0]], labels=["a", "b"]), ValueError, "points=1, labels=2"),
    "domain": (lambda: Points([[0, 0]], domain=(1, 0)), ValueError, "domain must be"),
    "ragged": (lambda: Matrix([[1, 2], [3]]), TypeError, "equal rows"),
    "a vector": (lambda: Matrix([1, 2]), ValueError, "rows and columns"),
    "empty": (lambda: Mask(torch.ones(0, 3)), ValueError, "at least one number"),
    "out of bounds": (lambda: Matrix([[5]], max=1), ValueError, "must lie between"),
    "names": (lambda: Matrix([[1, 2]], columns=["a"]), ValueError, "got 2 columns, names=1"),
    "too many": (lambda: Matrix(torch.zeros(100, 100)), ValueError, "at most 4096 numbers, got 10000"),
}


@pytest.mark.parametrize(("make", "error", "text"), WRONG_TABLES.values(), ids=WRONG_TABLES)
def test_a_table_that_makes_no_sense_is_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_a_table_must_keep_its_shape():
    with pytest.raises(ValueError, match=r"m must have shape \(1, 2\), got m of shape \(2, 1\)"):
        Matrix([[1, 2]]).check("m", [[1], [2]])


def test_a_matrix_tells_the_page_its_names_and_only_those_that_it_has():
    named = Matrix([[9, 5]], columns=["Ming", 2])
    assert (named.details()["columns"], "labels" in named.details()) == (["Ming", "2"], False)


def test_a_control_does_not_hold_on_to_the_readers_tensor():
    values = torch.zeros(2, 2)
    control = Matrix(values)
    values += 1
    assert control.default == [[0.0, 0.0], [0.0, 0.0]]


def test_words_are_cut_off_padded_and_counted():
    text = Text("b a", vocabulary=["<pad>", "a", "b"], unit="word", length=4)
    assert text.to_inputs("w", "b  a zebra")["w"].tolist() == [2, 1, 0, 0]
    assert text.to_inputs("w", "a b a b a b")["w"].tolist() == [1, 2, 1, 2]
    assert text.to_inputs("w", "b a")["w_length"].item() == 2


def test_an_unknown_word_gets_its_own_id_where_there_is_one():
    text = Text("b", vocabulary=["<pad>", "<unk>", "b"], unit="word", length=2, unknown=1)
    assert text.ids("zebra b") == [1, 2]


def test_ids_become_the_text_again():
    text = Text("ba", vocabulary=["<pad>", "a", "b"], length=4)
    assert text.text(text.ids("bab")) == "bab"


WRONG_TEXTS = {
    "unit": (lambda: Text("a", unit="syllable"), "unit must be"),
    "no vocabulary": (lambda: Text("a", unit="word"), "need a vocabulary"),
    "equal tokens": (lambda: Text("a", vocabulary=["a", "a"]), "must differ"),
    "pad": (lambda: Text("a", vocabulary=["a"], pad=1), "pad must be an id in 0..0, got pad=1"),
    "length": (lambda: Text("a", length=0), "length must be in 1.."),
}


@pytest.mark.parametrize(("make", "text"), WRONG_TEXTS.values(), ids=WRONG_TEXTS)
def test_a_text_field_that_makes_no_sense_is_refused(make, text):
    with pytest.raises(ValueError, match=text):
        make()


@pytest.mark.parametrize(
    "tensor", [torch.tensor([-torch.inf, 0.1]), torch.tensor(3), torch.ones(2, 0).bool()]
)
def test_a_carried_tensor_comes_back_from_the_browser_bit_for_bit(tensor):
    state = State(tensor)
    back = state.to_inputs("m", state.from_js(state.to_js(state.default)))["m"]
    assert back.dtype == tensor.dtype
    assert torch.equal(back, tensor)


def test_a_carried_tensor_of_a_kind_the_browser_lacks_is_refused():
    with pytest.raises(TypeError, match="must be float32, int64, bool"):
        State(torch.zeros(2, dtype=torch.float64))


WRONG_CARRIES = {
    "a list": (["width"], TypeError, "must be a dict such as"),
    "empty": ({}, ValueError, "at least one"),
}


@pytest.mark.parametrize(("names", "error", "text"), WRONG_CARRIES.values(), ids=WRONG_CARRIES)
def test_a_carry_that_makes_no_sense_is_refused(names, error, text):
    with pytest.raises(error, match=text):
        Carry(names)
