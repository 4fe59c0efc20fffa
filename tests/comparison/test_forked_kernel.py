"""A forked kernel is as fresh as one that was started: nothing of the project, nothing of another kernel."""

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import forked_kernel
import pytest
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel
from sampling import seed, weekly

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")


@pytest.fixture(scope="module")
def kernels(tmp_path_factory) -> Iterator[list[RunningKernel]]:
    """Start two kernels, one after the other; they have torch where a test asks for it."""
    loaded = forked_kernel.LOADED if seed() == "all" else ("numpy", "ipykernel.kernelapp")
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(forked_kernel, "LOADED", loaded)
    forked_kernel.use()
    both = []
    try:
        for _ in range(2):
            both.append(RunningKernel(CURRENT_ENV_KERNEL_NAME, cwd=str(tmp_path_factory.mktemp("kernel"))))
        yield both
    finally:
        for each in both:
            each.stop()
        forked_kernel.end()
        monkeypatch.undo()


def run(kernel: RunningKernel, code: str) -> str:
    """Run code and give what it prints, or the name of its error."""
    asked = kernel.execute_cell_input(code, allow_stdin=False)
    kernel.await_reply(asked, timeout=60)
    said = ""
    while True:
        message = kernel.get_message("iopub", timeout=60)
        if message["parent_header"].get("msg_id") != asked:
            continue
        said += message["content"].get("text", "") + message["content"].get("ename", "")
        if message["content"].get("execution_state") == "idle":
            return said.strip()


@weekly
def test_two_kernels_know_nothing_of_each_other_and_begin_alike(kernels):
    one, other = kernels
    own = "import sys; print(*[m for m in sys.modules if m.split('.')[0] in {}])"
    project = {"attn_helpers", "attn_lessons", "livetorch", "forked_kernel", "comparison"}
    assert [run(each, own.format(project)) for each in kernels] == ["", ""]
    spoil = "import torch; torch.mine = 1; torch.set_printoptions(precision=2); mine = 2; print(torch.pi)"
    assert run(one, spoil) == "3.141592653589793"
    assert run(other, "import torch; print(hasattr(torch, 'mine')); print(mine)") == "False\nNameError"
    assert run(other, "print(torch.tensor(2 / 3))") == "tensor(0.6667)"
    unseeded = [
        "import numpy, random",
        "print(torch.initial_seed(), numpy.random.rand(), random.random())",
    ]
    said = [run(each, "import torch\n" + "\n".join(unseeded)).split() for each in kernels]
    assert said[0][0] == said[1][0]
    assert said[0][1] != said[1][1]
    assert said[0][2] != said[1][2]
    place = (
        "import os; print(os.path.basename(os.getcwd()), os.getppid() == int(os.environ['JPY_PARENT_PID']))"
    )
    assert [run(each, place) for each in kernels] == ["kernel0 True", "kernel1 True"]


def test_a_kernel_whose_port_was_taken_meanwhile_is_started_again(kernels, monkeypatch, tmp_path):
    asked = forked_kernel.Source.ask
    started = []

    def taken(self, question):
        if "argv" in question:
            place = json.loads(Path(question["argv"][-1].removeprefix("-f=")).read_text(encoding="utf-8"))
            if not started:
                other.bind((place["ip"], place["shell_port"]))
                other.listen()
            started.append(place["shell_port"])
        return asked(self, question)

    monkeypatch.setattr(forked_kernel.Source, "ask", taken)
    with socket.socket() as other:
        kernel = RunningKernel(CURRENT_ENV_KERNEL_NAME, cwd=str(tmp_path))
        try:
            assert run(kernel, "print(2)") == "2"
        finally:
            kernel.stop()
    assert len(started) == 2


def test_a_kernel_can_be_interrupted_and_its_end_is_seen(kernels):
    one, other = kernels
    asked = one.execute_cell_input("print('begun')\nwhile True: pass", allow_stdin=False)
    while one.get_message("iopub", timeout=60)["content"].get("text") != "begun\n":
        pass
    one.interrupt()
    one.await_reply(asked, timeout=60)
    assert run(one, "print(1)") == "1"
    assert one.is_alive()
    run(other, "import os")
    other.execute_cell_input("os._exit(3)", allow_stdin=False)
    assert other.km.provisioner.process.wait() == 3
    assert not other.is_alive()
    assert one.is_alive()
