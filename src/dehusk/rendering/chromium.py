"""Chromium: where it is, and how it is started so that all pages look the same everywhere and nothing is asked for."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from dehusk.errors import UsageError
from dehusk.extras import require

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FONTS: Final = Path(__file__).with_name("fonts.conf")
FLAGS: Final = (
    # Without these, Chromium itself asks its maker for updates and lists.
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--no-first-run", "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--disable-quic",
    # The last such list counts, so what Playwright disables is here, too. HttpsUpgrades: after https was refused, http
    # would be tried past interception.
    "--disable-features=HttpsUpgrades,AvoidUnnecessaryBeforeUnloadCheckSync,BoundaryEventDispatchTracksNodeRemoval,"
    "DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,LensOverlay,MediaRouter,OptimizationHints,"
    "PaintHolding,RenderDocument,ThirdPartyStoragePartitioning,Translate,CertificateTransparencyComponentUpdater,"
    "NetworkTimeServiceQuerying,AutofillServerCommunication",
    # What interception does not see goes to a port on which nobody listens: also what is meant for this machine. No
    # name is looked up.
    "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The same picture on every machine.
    "--disable-gpu", "--force-device-scale-factor=1", "--font-render-hinting=none", "--disable-lcd-text",
    "--disable-font-subpixel-positioning", "--force-color-profile=srgb", "--hide-scrollbars",
    # A page's scripts get half a gigabyte; the whole browser is limited by `Renderer`.
    "--js-flags=--max-old-space-size=512",
    "--disable-dev-shm-usage", "--mute-audio",
)  # fmt: skip


def find_chromium() -> str | None:
    """Return the path of the system's Chromium; None if there is none, where Playwright may have its own."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def has_own_chromium() -> bool:
    """Return whether `playwright install chromium` was run."""
    if chosen := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        folder = Path(chosen)
    elif sys.platform == "darwin":
        folder = Path.home() / "Library/Caches/ms-playwright"
    elif sys.platform == "win32":
        folder = Path.home() / "AppData/Local/ms-playwright"
    else:
        folder = Path.home() / ".cache/ms-playwright"
    return any(folder.glob("chromium*-*"))


def is_available() -> bool:
    """Return whether pages can be rendered here: the extra is installed, and a browser is."""
    installed = all(find_spec(name) is not None for name in ("playwright", "cv2"))
    return installed and (find_chromium() is not None or has_own_chromium())


def require_rendering(purpose: str) -> None:
    """Raise `UsageError` with the command that installs what rendering lacks."""
    require(purpose, "playwright", "cv2")
    if not is_available():
        raise UsageError(
            f"{purpose} needs Chromium, not found here; install your system's package, such as "
            "`apt-get install chromium`, or run `playwright install chromium`"
        )


def launch_options() -> dict[str, Any]:
    """Return what Playwright's `launch` takes."""
    # As root there is no sandbox: Chromium refuses to start one.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return {
        "executable_path": find_chromium(),
        "chromium_sandbox": not is_root,
        "args": list(FLAGS),
        "env": {**environment, "FONTCONFIG_FILE": str(FONTS)},
        # The process that asked for rendering decides what a signal ends.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }
