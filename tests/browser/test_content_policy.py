"""The built book under its content security policy: no eval, no script in a page but the named one."""

from __future__ import annotations

import re
from pathlib import Path

import content_policy
import pytest
from built_site import ROOT, pages

READY = """() => Promise.all(
  [...document.querySelectorAll("figure.attention-live")].map((figure) => figure.attentionLive.ready))"""
PAGES = [*pages(), "search"]


def test_the_policy_allows_no_eval_and_no_unnamed_script(site):
    rules = dict(rule.split(" ", 1) for rule in content_policy.policy(site).split("; "))
    assert "unsafe" not in rules["script-src"]
    assert "http" not in " ".join(rules.values())
    assert len(content_policy.hashes(site)) == 1


def test_the_page_on_hosting_shows_this_policy(site):
    text = Path(ROOT, "book", "hosting.md").read_text(encoding="utf-8")
    assert content_policy.policy(site) in text


def test_the_policy_refuses_eval(under_policy):
    page = under_policy("notebooks/01_kernel_pooling").page
    assert page.evaluate(
        """() => new Promise((done) => {
          document.addEventListener("securitypolicyviolation", (event) => done(event.violatedDirective));
          const script = document.createElement("script");
          script.textContent = "document.title = 'taken over'";
          document.head.append(script);
          setTimeout(() => done("nothing was refused"), 2000);
        })"""
    ).startswith("script-src")
    assert page.title() != "taken over"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_works_under_the_policy(under_policy, name):
    opened = under_policy(name)
    page = opened.page
    page.mouse.wheel(0, 4000)
    page.evaluate(READY)
    assert page.evaluate("window.refused") == []
    refused = re.compile("content security policy", re.IGNORECASE)
    assert [error for error in opened.errors if refused.search(error)] == []
    assert opened.errors == []
