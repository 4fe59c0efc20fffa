"""Which printed texts count as the same."""

import pytest
from printed import differences, is_number

SAME = {
    "one unit of the last place": ("loss 0.12", "loss 0.13"),
    "one unit downwards over a power of ten": ("9.99", "10.0"),
    "the same with an exponent": ("1e-07", "9.99e-08"),
    "a mantissa of as many places": ("1.00e-07", "9.99e-08"),
    "zero with a sign": ("[-0.00, 2]", "[0.00, 2]"),
    "just below zero": ("-0.01", "0.00"),
    "a change with its sign": ("+0.00", "-0.00"),
    "a minus sign of typography": ("−0.12", "−0.13"),
    "thousands": ("1,814.35", "1,814.34"),
    "thousands that begin": ("999.99", "1,000.00"),
    "percent": ("50.1%", "50.2%"),
    "a unit right behind": ("1.5x faster", "1.6x faster"),
    "between Chinese letters": ("共0.51个", "共0.52个"),
    "no digit before the point": (".5", ".6"),
    "a range": ("0.2-0.3", "0.2-0.4"),
    "complex": ("1.00+2.00j", "1.00+2.01j"),
    "a column that is wider": ("[9.9999, 1.0000]", "[10.0000,  1.0000]"),
    "a table that is wider": ("x      y\n0   9.99\n1   1.00", "x       y\n0   10.00\n1    1.00"),
    "negative zero, whole": ("-0", "0"),
}
OTHER = {
    "two units of the last place": ("loss 0.12", "loss 0.14"),
    "two units over a power of ten": ("9.98", "10.0"),
    "two units with an exponent": ("1e-07", "3e-07"),
    "another power of ten": ("1.2e+05", "1.2e-05"),
    "another sign": ("0.12", "-0.12"),
    "an operator": ("x 0.3 - 0.1", "x 0.3 + 0.1"),
    "a whole number": ("3 of 7", "4 of 7"),
    "a whole number with a point": ("tensor([1., 2.])", "tensor([1., 3.])"),
    "whole percent": ("50%", "51%"),
    "not a number": ("nan", "0.00"),
    "infinity's sign": ("inf", "-inf"),
    "fixed against exponent": ("0.5000", "5.0000e-01"),
    "fewer places": ("0.5000", "0.5"),
    "fewer places of a mantissa": ("1e-07", "1.0e-07"),
    "a plus that is new": ("+0.01", "0.01"),
    "commas that are new": ("1814.35", "1,814.35"),
    "a version": ("torch 2.13.0", "torch 2.14.0"),
    "a time": ("12:30", "12:31"),
    "seconds": ("12:30.25", "12:30.26"),
    "a number in a word": ("d2l", "d3l"),
    "a dtype": ("float16", "float32"),
    "an address": ("0x7f3a1b", "0x7f3a1c"),
    "a hexadecimal id": ("id 3e8f12", "id 3e8f13"),
    "a word": ("keys 0.12", "keyz 0.12"),
    "a blank": ("a b", "a  b"),
    "a blank though a number moved by its last place": ("a b 0.12", "a  b 0.13"),
    "a line more": ("line", "line\nmore"),
    "a number less": ("0.1 0.2", "0.1"),
    "nothing": ("", "x"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_texts_that_are_the_same(pair):
    assert differences(*pair) == []
    assert differences(*reversed(pair)) == []


@pytest.mark.parametrize("pair", OTHER.values(), ids=OTHER)
def test_texts_that_are_not_the_same(pair):
    assert differences(*pair)
    assert differences(*reversed(pair))


def test_the_message_says_where_which_by_how_much_and_what_was_allowed():
    (found,) = differences("weights\n0.12  0.50", "weights\n0.12  0.53")
    assert found == "line 2: 0.50 stored, 0.53 computed: they differ by 0.03, allowed is 0.01"
    (found,) = differences("weights\nkeys 0.12", "weights\nkeyz 0.12")
    assert found == "line 2: other words: 'keys 0.12' stored, 'keyz 0.12' computed"


def test_every_number_that_differs_is_named():
    assert len(differences("0.10 0.20 0.30", "0.15 0.20 0.35")) == 2


def test_what_is_a_number_and_nothing_else():
    assert all(map(is_number, ("0.62", "−3", "1.5e-07", "1,000.5")))
    assert not any(map(is_number, ("", "float16", "1 2", "x")))
