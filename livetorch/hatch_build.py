"""What pip runs before it packs a checkout: its scripts are built. A source distribution has them already."""

import importlib
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildScripts(BuildHookInterface[Any]):
    """Builds the scripts of live figures where their sources are."""

    def _builder(self) -> Any:
        tools = Path(__file__).resolve().parents[1] / "tools" / "site"
        if not (tools / "build_scripts.py").is_file():
            return None
        sys.path.insert(0, str(tools))
        return importlib.import_module("build_scripts")

    def dependencies(self) -> list[str]:
        """Ask for Node as a Python package where there is none."""
        builder = self._builder()
        return [builder.ensure_node.PACKAGE] if builder and builder.programs() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, before files are chosen."""
        if builder := self._builder():
            builder.build()
