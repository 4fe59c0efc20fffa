"""In JupyterLab a solution and the reply to a bug are closed when their cell is run, elsewhere open."""

import queue

import pytest
from jupyter_client.manager import start_new_kernel

SOLUTION = """
from attn_helpers.chapter import show_source
from attn_lessons.exercises import check, solution
show_source(solution("split-heads"))
"""
REPLY = 'check("split-heads", lambda inputs, num_heads: inputs, folded=True)'
OPEN = 'check("split-heads", lambda inputs, num_heads: inputs)'


@pytest.fixture(scope="module")
def kernel():
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def shown(client, code: str, metadata: dict) -> dict[str, str]:
    """Run a cell as a front end does that sends such metadata; gives its output by type."""
    content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
    message = client.session.msg("execute_request", content, metadata=metadata)
    client.shell_channel.send(message)
    found = {}
    while True:
        try:
            told = client.get_iopub_msg(timeout=60)
        except queue.Empty:
            raise AssertionError(f"the kernel says nothing of {code}") from None
        if told["parent_header"].get("msg_id") != message["header"]["msg_id"]:
            continue
        assert told["msg_type"] != "error", told["content"]
        if told["msg_type"] == "execute_result":
            found = told["content"]["data"]
        if told["msg_type"] == "status" and told["content"]["execution_state"] == "idle":
            return found


def test_a_solution_is_closed_in_jupyterlab_only(kernel):
    in_lab = shown(kernel, SOLUTION, {"cellId": "a1"})
    assert in_lab["text/html"].startswith(
        "<details><summary>Show the solution</summary><pre><code># attn_lessons"
    )
    assert "text/markdown" not in in_lab
    stored = shown(kernel, SOLUTION, {})
    assert stored["text/markdown"].startswith("```python\n# attn_lessons")
    assert "text/html" not in stored


def test_the_reply_to_a_bug_is_closed_in_jupyterlab_and_the_readers_own_is_not(kernel):
    shown(kernel, SOLUTION, {})
    closed = shown(kernel, REPLY, {"cellId": "a2"})["text/html"]
    assert closed.startswith("<details><summary>Show the reply</summary><p><strong>Not yet:</strong>")
    for code, metadata in ((REPLY, {}), (OPEN, {"cellId": "a3"})):
        assert shown(kernel, code, metadata)["text/html"].startswith("<p><strong>Not yet:</strong>")
