"""Where the table lies in the pictures, and whether the camera hangs well: measured before an evening."""

from capture.calibration.calibration import Calibration, load_calibration, save_calibration
from capture.calibration.placement import CalibratedPlacement

__all__ = ["CalibratedPlacement", "Calibration", "load_calibration", "save_calibration"]
