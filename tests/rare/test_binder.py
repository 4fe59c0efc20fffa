"""Binder takes the folder binder/. `make proof` installs what this needs."""

import subprocess
import sys
from pathlib import Path

from built_site import ROOT


def test_binder_takes_the_folder_binder():
    # Prints the image's recipe without building it; no docker is needed.
    command = [Path(sys.executable).parent / "jupyter-repo2docker", "--no-build", "--debug", ROOT]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    recipe = result.stdout + result.stderr
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"' in recipe
    assert "RUN ./binder/postBuild" in recipe
    assert (
        "pip install --no-cache-dir -r" not in recipe
    )  # the root's requirements.txt would bring GPU libraries
