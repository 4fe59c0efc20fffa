"""What a hand moves: the kinds of controls, one line each."""

from livetorch.controls.base import fixed as fixed
from livetorch.controls.choice import Checkbox as Checkbox
from livetorch.controls.choice import Choice as Choice
from livetorch.controls.slider import Slider as Slider
from livetorch.controls.state import State as State
from livetorch.controls.table import Mask as Mask
from livetorch.controls.table import Matrix as Matrix
from livetorch.controls.table import Points as Points
from livetorch.controls.text import Text as Text
