"""Rendering: web pages in Chromium, in a process of its own, under limits on time, memory and requests.

Two things are done with a page. A *layout* lets none of its scripts run, and returns a picture of the page and where
each text node stands on it: `dehusk.methods.fiasco` judges regions by that. A *live* page runs its own scripts, and its
tree is returned as markup, which any method can take.

Nothing here knows of the network. Every request of a page is intercepted; what is answered, if anything, is for an
`Answers` to say, and what escaped interception would meet a proxy that does not exist.
"""

from dehusk.rendering.chromium import is_available, require_rendering
from dehusk.rendering.layout import Layout
from dehusk.rendering.renderer import Bounds, Renderer
from dehusk.rendering.tasks import Live, LivePage, Photograph

__all__ = ["Bounds", "Layout", "Live", "LivePage", "Photograph", "Renderer", "is_available", "require_rendering"]
