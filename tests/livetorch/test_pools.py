"""Trained weights leave a page, or a notebook, for files that are loaded when their figure is first used."""

import base64
import json
import random
import re

import pytest

from livetorch import pools


def page(*specs: dict) -> str:
    figures = (
        f'<figure class="livetorch" data-name="{spec["name"]}">\n<img alt="a" src="data:,">\n'
        f'<script type="application/json">{pools.compact(spec)}</script>\n</figure>'
        for spec in specs
    )
    return "<p>before</p>" + "<p>between</p>".join(figures)


def spec(name: str, numbers: int) -> dict:
    constant = {"dtype": "float32", "shape": [numbers], "data": "A" * numbers}
    return {"name": name, "title": "a < b", "pool": [constant]}


def specs_in(html: str) -> list[dict]:
    return [json.loads(match["spec"]) for match in pools.FIGURE.finditer(html)]


def test_a_large_pool_becomes_a_file_that_hands_it_over():
    html, files = pools.take_out(page(spec("heavy", 150_000)))
    ((name, text),) = files.items()
    call, pool = text.split(",", 1)
    assert call == f'LiveTorch.provide("{name.removesuffix(".js")}"'
    assert json.loads(pool.removesuffix(");\n")) == spec("heavy", 150_000)["pool"]
    assert f'<figure class="livetorch" data-name="heavy" data-pool="{name}" data-size="0 kB">' in html
    assert specs_in(html) == [{"name": "heavy", "title": "a < b", "pool": []}]


def test_first_numbers_stand_in_the_page_and_the_programs_in_a_file():
    numbers = {"output": {"dtype": "float32", "shape": [1], "data": "AACAPw=="}}
    heavy = spec("heavy", 150_000) | {"programs": [{"nodes": ["a", "b"]}]}
    html, files = pools.take_out(page(heavy), first=lambda given: dict(numbers) if given == heavy else None)
    (shown,) = specs_in(html)
    assert (shown["pool"], shown["programs"], shown["first"]) == ([], [], numbers)
    name = re.search(r'data-programs="(\w+)\.js"', html)[1]
    assert files[f"{name}.js"] == f'LiveTorch.provide("{name}",{{"programs":[{{"nodes":["a","b"]}}]}});\n'
    assert len(files) == 2


def test_a_figure_without_first_numbers_keeps_its_programs_in_the_page():
    heavy = spec("heavy", 150_000) | {"programs": [{"nodes": ["a"]}]}
    html, files = pools.take_out(page(heavy))
    assert specs_in(html)[0]["programs"] == heavy["programs"]
    assert (len(files), "data-programs" in html) == (1, False)


def test_first_numbers_are_those_of_the_engine_and_not_too_many():
    program = {
        "format": "livetorch/program",
        "version": 1,
        "inputs": [],
        "constants": [{"pool": 0}],
        "nodes": [{"op": "aten.neg.default", "args": [{"v": 0}]}],
        "outputs": [{"name": "output", "value": 1}],
    }
    figure = {"controls": [], "variants": {"controls": [], "keys": {"": 0}}, "programs": [program]}
    one = {"dtype": "float32", "shape": [1], "data": "AACAPw=="}
    many = {"dtype": "float32", "shape": [9000], "data": base64.b64encode(bytes(36_000)).decode()}
    minus_one = {"output": {"dtype": "float32", "shape": [1], "data": "AACAvw=="}}
    assert pools.first_numbers(figure | {"pool": [one]}) == minus_one
    exact = {"dtype": "float64", "shape": [1], "data": "AAAAAAAA8D8="}
    stored = {"dtype": "float64", "shape": [1], "stored": "float64", "data": "AAAAAAAA8L8="}
    assert pools.first_numbers(figure | {"pool": [exact]}) == {"output": stored}
    assert pools.first_numbers(figure | {"pool": [many]}) is None


def test_a_small_pool_stays_in_the_page():
    html = page(spec("light", 100))
    assert pools.take_out(html) == (html, {})


def test_each_figure_keeps_its_own_pool_and_the_rest_of_the_page_stays():
    before = page(spec("one", 100), spec("two", 140_000), spec("three", 100), spec("four", 150_000))
    html, files = pools.take_out(before)
    assert len(files) == 2
    assert [len(each["pool"]) for each in specs_in(html)] == [1, 0, 1, 0]
    assert html.count("<p>between</p>") == 3
    assert html.count("data-pool=") == 2


def test_a_very_large_pool_is_several_files_that_are_loaded_only_when_asked_for():
    numbers = random.Random(0).choices("ABCDEFGH", k=900_000)  # 3 bits each: more than may come unasked
    constants = [{"dtype": "float32", "shape": [1], "data": "".join(numbers[i::6])} for i in range(6)]
    html, files = pools.take_out(page(spec("huge", 4) | {"pool": constants}), url=lambda name: f"live/{name}")
    programs = {"programs": [{"nodes": ["a"]}]}
    asked = page(spec("huge", 4) | {"pool": constants} | programs)
    assert specs_in(pools.take_out(asked)[0])[0]["programs"] == programs["programs"]  # in a notebook
    lean, beside = pools.take_out(asked, lean=True)  # on a site
    assert specs_in(lean)[0]["programs"] == []
    assert len(beside) == len(files) + 1
    (match,) = pools.FIGURE.finditer(html)
    urls = re.search(r'data-pool="([^"]*)"', match["open"])[1].split()
    assert len(urls) == 6
    assert "data-asked" in match["open"]
    stored = []
    for url in urls:
        stored += json.loads(files[url.removeprefix("live/")].split(",", 1)[1].removesuffix(");\n"))
    assert stored == constants


def test_parts_keep_the_order_and_their_size():
    pool = [{"data": "A" * n} for n in (10, 90, 300, 5, 5, 60)]
    parts = pools.in_parts(pool, most=150)
    assert [constant for part in parts for constant in part] == pool
    assert [len(part) for part in parts] == [2, 1, 3]


def test_equal_pools_share_a_file_and_other_numbers_get_another_name():
    _, same = pools.take_out(page(spec("one", 140_000), spec("two", 140_000)))
    _, other = pools.take_out(page(spec("one", 140_004)))
    assert len(same) == 1
    assert same.keys().isdisjoint(other)


def test_text_that_looks_like_markup_stays_text():
    hostile = spec("heavy", 140_000) | {"title": "</script><script>alert(1)</script>"}
    html, _ = pools.take_out(page(hostile))
    assert html.count("</script>") == 1
    assert specs_in(html)[0]["title"] == hostile["title"]


@pytest.fixture
def parted(tmp_path):
    """A page whose large pool lies beside it: the page as it was, as it is, its folder."""
    before = page(spec("one", 100), spec("two", 140_000), spec("three", 150_000))
    html, files = pools.take_out(before, url=lambda name: f"beside/{name}")
    (tmp_path / "beside").mkdir()
    for name, text in files.items():
        (tmp_path / "beside" / name).write_text(text, encoding="utf-8")
    return before, html, tmp_path


def test_what_was_taken_out_can_be_put_back_to_the_letter(parted):
    before, html, folder = parted
    assert len(html) < 0.1 * len(before)
    assert pools.put_back(html, folder) == before
    assert pools.put_back(before, folder) == before


def test_a_file_that_is_missing_or_holds_something_else_is_said(parted):
    _, html, folder = parted
    file = next((folder / "beside").iterdir())
    file.write_text(file.read_text(encoding="utf-8").replace("AAAA", "AAAB", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"{file.name} does not hold the constants that its name stands"):
        pools.put_back(html, folder)
    file.unlink()
    with pytest.raises(FileNotFoundError, match=rf"{file.name} is missing: .* Run the notebook"):
        pools.put_back(html, folder)


def test_what_the_built_pages_name_is_there(site):
    named = 0
    for path in site.rglob("*.html"):
        for match in pools.FIGURE.finditer(path.read_text(encoding="utf-8")):
            for attribute in ("data-pool", "data-programs"):
                urls = re.search(f'{attribute}="([^"]*)"', match["open"])
                for url in urls[1].split() if urls else ():
                    assert (path.parent / url).is_file(), (path.name, url)
                named += bool(urls)
    assert named >= 1
