"""Where pictures come from: one interface, one file per kind."""

from capture.sources.open_source import open_source
from capture.sources.paced import PacedSource
from capture.sources.picture_folder import PictureFolder
from capture.sources.rtsp import RtspCamera
from capture.sources.simulator_source import SimulatorSource
from capture.sources.source import Source
from capture.sources.usb_camera import UsbCamera
from capture.sources.video_file import VideoFile

__all__ = [
    "PacedSource",
    "PictureFolder",
    "RtspCamera",
    "SimulatorSource",
    "Source",
    "UsbCamera",
    "VideoFile",
    "open_source",
]
