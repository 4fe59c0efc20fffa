"""The content security policy of the built book: no eval, no script in a page but the named one.

test_pages.py opens every page under it.
"""

import content_policy


def test_the_policy_allows_no_eval_and_no_unnamed_script(site):
    rules = dict(rule.split(" ", 1) for rule in content_policy.policy(site).split("; "))
    assert "unsafe" not in rules["script-src"].replace("'wasm-unsafe-eval'", "")
    assert "http" not in " ".join(rules.values())
    assert len(content_policy.hashes(site)) == 1


def test_the_page_on_hosting_shows_this_policy(site):
    assert content_policy.policy(site) in content_policy.server_text(site)


def test_the_policy_refuses_eval(open_page):
    page = open_page("notebooks/01a_weighted_average").page
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
