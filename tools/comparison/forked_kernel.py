"""Kernels that are forked from a process which has loaded the libraries, so that torch is imported once.

What is forked has run nothing of the project and nothing of a notebook: each kernel imports `attn_helpers`,
`attn_lessons` and `livetorch` by itself, as a kernel does that started from nothing.
"""

import importlib
import json
import os
import subprocess
import sys
import threading
from importlib.metadata import EntryPoint
from typing import Any

import nbval.kernel
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner
from jupyter_client.provisioning.factory import KernelProvisionerFactory

NAME = "forked"
TIMES = 3  # that a kernel is started before its notebook fails
LOADED = (
    "torch",
    "torch._dynamo",
    "numpy",
    "matplotlib.pyplot",
    "seaborn",
    "anywidget",
    "ipykernel.kernelapp",
)


class Kernel:
    """A kernel that was forked; it answers as `subprocess.Popen` does, as far as a provisioner asks."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Give its exit code, or None while it runs."""
        return source().ask({"poll": self.pid})

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait until it has ended."""
        return source().ask({"wait": self.pid})

    def send_signal(self, number: int) -> None:
        """Send a signal while it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(15)

    def kill(self) -> None:
        """End it."""
        self.send_signal(9)


class Source:
    """The process that is forked."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        environment = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        command = [sys.executable, "-P", __file__, *LOADED]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def ask(self, question: dict[str, Any]) -> int | None:
        """Ask for a new kernel, or for the end of one."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process that kernels are forked from has ended: {self.process.wait()}")
        return json.loads(answer)


_sources: list[Source] = []


def source() -> Source:
    """Give this process's source of kernels, and start it the first time; it ends with this process."""
    if not _sources:
        _sources.append(Source())
    return _sources[0]


def end() -> None:
    """End the source of kernels, if there is one."""
    while _sources:
        process = _sources.pop().process
        assert process.stdin
        process.stdin.close()
        process.wait(timeout=60)


class Forked(LocalProvisioner):
    """Starts kernels by forking."""

    async def launch_kernel(self, cmd: list[str], **how: Any) -> KernelConnectionInfo:
        """Fork a kernel that runs what follows `-m ipykernel_launcher` of its command."""
        where = {"cwd": str(how.get("cwd") or os.getcwd()), "env": how.get("env") or dict(os.environ)}
        pid = source().ask({"argv": cmd[cmd.index("ipykernel_launcher") :], **where})
        assert pid
        self.process = Kernel(pid)  # type: ignore[assignment]
        self.pid = self.pgid = pid
        return self.connection_info


def _started(*what: Any, **how: Any) -> Any:
    """Start a kernel as nbval does, and another if it ends before its first word: its ports were somebody's.

    A manager looks for free ports and lets go of them, and until its kernel takes them any program may.
    """
    for _ in range(TIMES - 1):
        try:
            return _start(*what, **how)
        except RuntimeError as error:
            if "died" not in str(error):  # one that hangs would hang again
                raise
            print(f"A kernel is started again: {error}", file=sys.stderr)
    return _start(*what, **how)


_start = nbval.kernel.start_new_kernel


def use() -> None:
    """Let kernels be forked from now on, where the system can."""
    nbval.kernel.start_new_kernel = _started
    if hasattr(os, "fork"):
        factory = KernelProvisionerFactory.instance()
        factory.provisioners[NAME] = EntryPoint(NAME, f"{__name__}:Forked", factory.GROUP_NAME)
        factory.default_provisioner_name = NAME


def _become_kernel(argv: list[str], cwd: str, env: dict[str, str]) -> None:
    """Make this forked process what `python -m ipykernel_launcher` would be."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.environ.clear()
    os.environ.update(env, JPY_PARENT_PID=str(os.getppid()))
    os.chdir(cwd)
    sys.argv = argv
    sys.modules["numpy"].random.seed()  # torch begins at the same number always, Python seeds a fork itself
    sys.modules["ipykernel.kernelapp"].launch_new_instance()


def _serve() -> None:
    """Load the libraries, then fork for each line that asks; ends when nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
    for name in sys.argv[1:]:
        importlib.import_module(name)
    assert threading.active_count() == 1, f"a fork would lose threads: {threading.enumerate()}"
    ended: dict[int, int] = {}
    for line in sys.stdin:
        question = json.loads(line)
        if "argv" in question:
            if not (pid := os.fork()):
                _become_kernel(**question)
                os._exit(0)
            answer: int | None = pid
        else:
            pid = question.get("wait") or question["poll"]
            if pid not in ended:
                found, status = os.waitpid(pid, 0 if "wait" in question else os.WNOHANG)
                if found:
                    ended[pid] = os.waitstatus_to_exitcode(status)
            answer = ended.get(pid)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    _serve()
