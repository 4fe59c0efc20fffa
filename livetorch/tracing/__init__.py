"""One run of a torch function, written down."""

import torch

from livetorch._torch import need_torch

need_torch(torch.__version__)
