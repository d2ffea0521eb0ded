"""Arrays: the weights of trained networks, named and shaped as `dehusk.methods.kernel` reads them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dehusk.features.tokens import BITS
from dehusk.features.tree import ABOVE
from dehusk.methods.kernel.features import TAGS
from dehusk.training.columns import Floats
from dehusk.training.kernel.net.network import KernelNet
from dehusk.training.kernel.packed import KernelPacked

WAYS = 4  # to group blocks
MATRICES = ("mix", "layer_page", "taps")  # weights of a layer that are written as they are
ROWS = ("gain", "bias", "layer_shift")  # weights of a layer with a single row


def arrays(nets: Sequence[KernelNet], packed: KernelPacked) -> dict[str, NDArray[np.generic]]:
    """Return everything that `Kernel.load` reads from the file of weights; names begin with the network's number."""
    vocabulary = np.frombuffer("\n".join(packed.vocabulary).encode(), np.uint8)
    named = {f"{index}/{name}": array for index, net in enumerate(nets) for name, array in _of(net, packed).items()}
    return {"vocabulary": vocabulary, **named}


def _of(net: KernelNet, packed: KernelPacked) -> dict[str, NDArray[np.generic]]:
    weights: dict[str, Floats] = {name: weight.detach().cpu().numpy() for name, weight in net.weights.items()}
    above, tags = len(ABOVE), len(ABOVE) + TAGS
    high = packed.high[net.bins.column]
    result: dict[str, NDArray[np.generic]] = {
        "column": net.bins.column.astype(np.int16),
        "low": net.bins.low * high,
        "slope": net.bins.slope / high,
        "numbers": weights["numbers"],
        "bits": _bit_rows(weights["bits"], len(packed.vocabulary)),
        "tags": weights["bits"][above:tags],
        "page": weights["page"],
        # The set of a new page is unknown, which has weights of its own: row 0.
        "shift": weights["shift"][0] + weights["corpus"][0],
        "steps": np.array(net.shape.steps, np.int16),
        "out": np.concatenate((weights["out_shift"].ravel(), weights["out"].ravel())),
        "kind": weights["kind"],
    }
    for layer in range(len(net.shape.steps)):
        result |= {f"{name}{layer}": weights[f"{name}{layer}"] for name in MATRICES}
        result |= {f"{name}{layer}": weights[f"{name}{layer}"][0] for name in ROWS}
        groups = np.zeros((WAYS, net.shape.width), np.float32)
        groups[net.ways(layer)] = weights[f"groups{layer}"]
        result[f"groups{layer}"] = groups
    return result


def _bit_rows(bits: Floats, tokens: int) -> Floats:
    """Return the weights of tags above and of tokens, each kind padded to a multiple of `BITS` rows."""
    above, last = len(ABOVE), len(ABOVE) + TAGS + tokens
    parts = bits[:above], bits[above + TAGS : last], bits[last:]
    return np.concatenate([np.pad(part, ((0, -len(part) % BITS), (0, 0))) for part in parts])
