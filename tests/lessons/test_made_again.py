"""What made the stored weights and data can still be started."""

import importlib

import pytest
from built_site import ROOT

OURS = ("tools", "attn_lessons", "attn_helpers", "livetorch", "store")
RECIPES = [path.stem for path in sorted((ROOT / "tools/recipes").glob("*.py"))]
RECIPES += [f"tools.minilm.{path.stem}" for path in sorted((ROOT / "tools/minilm").glob("*.py"))]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_finds_all_that_it_imports_from_the_project(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name.startswith(OURS):
            raise
        pytest.skip(f"{error.name} is needed only to make the data again")
