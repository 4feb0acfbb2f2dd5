"""Where pictures come from: one interface, one file per kind."""

from capture.sources.faults import Fault, SourceChange
from capture.sources.open_source import open_source
from capture.sources.paced import PacedSource
from capture.sources.picture_folder import PictureFolder
from capture.sources.rtsp import RtspCamera
from capture.sources.simulator_source import SimulatorSource
from capture.sources.source import Source
from capture.sources.supervised import SupervisedSource
from capture.sources.usb_camera import UsbCamera
from capture.sources.video_file import VideoFile

__all__ = [
    "Fault",
    "PacedSource",
    "PictureFolder",
    "RtspCamera",
    "SimulatorSource",
    "Source",
    "SourceChange",
    "SupervisedSource",
    "UsbCamera",
    "VideoFile",
    "open_source",
]
