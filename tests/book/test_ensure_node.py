"""Where Node is absent or too old for the tests, the environment gets one."""

import ensure_node
import pytest
from built_site import ROOT


@pytest.mark.parametrize(
    ("says", "usable"),
    [("v20.18.0", False), ("v20.19.0", True), ("v22.20.0", True), ("v8.17.0", False), ("", False)],
)
def test_a_node_must_be_as_new_as_the_tests_want_it(says, usable, tmp_path):
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho '{says}'\n")
    node.chmod(0o755)
    assert ensure_node.is_usable(str(node)) == usable


def test_no_node_is_not_usable():
    assert not ensure_node.is_usable(None)


def test_the_node_that_is_installed_is_usable_itself_and_pinned():
    version = ensure_node.PACKAGE.partition("==")[2]
    assert tuple(map(int, version.split(".")[:2])) >= ensure_node.OLDEST
    assert ensure_node.PACKAGE in (ROOT / "requirements" / "constraints.txt").read_text().splitlines()
