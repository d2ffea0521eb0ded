"""What the server offers: the methods and formats that can be used here, those of plug-ins among them.

It is read once, when the server starts; `PROBLEMS` says which plug-ins cannot be used and why.
"""

from typing import Final

from dehusk import formats
from dehusk.models import registry

METHODS, _UNUSABLE_METHODS = registry.METHODS.usable()
FORMATS, _UNUSABLE_FORMATS = formats.FORMATS.usable()
PROBLEMS: Final = (*_UNUSABLE_METHODS, *_UNUSABLE_FORMATS)

METHOD_NAMES: Final = [entry.name for entry in METHODS]
FORMAT_NAMES: Final = sorted({name for entry in FORMATS for name in (entry.name, *entry.aliases)})
# The first format of each media type, in the order in which they are chosen where a client likes several equally; the
# others are had by name only.
BY_MEDIA_TYPE: Final[dict[str, str]] = {}
for _entry in FORMATS:
    BY_MEDIA_TYPE.setdefault(_entry.media_type, _entry.name)
for _entry in FORMATS:
    for _media_type in _entry.other_media_types:
        BY_MEDIA_TYPE.setdefault(_media_type, _entry.name)
