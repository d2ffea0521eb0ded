"""Fit: train a network on some pages, and keep the epoch that does best on others."""

import copy
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from dehusk.errors import InputError
from dehusk.model_files import DAMAGED
from dehusk.training.boilernet.inputs import Inputs
from dehusk.training.boilernet.net.batches import DeviceInputs, Piece, even_batches, pieces_of, similar_batches
from dehusk.training.boilernet.net.network import LeafNet
from dehusk.training.boilernet.recipe import BoilernetRecipe
from dehusk.training.columns import Floats
from dehusk.whole_files import write_atomically

Tensor: TypeAlias = torch.Tensor
Judge = Callable[[Floats], float]  # from the scores of the leaves of the check pages to a figure
OnEpoch = Callable[[int, float, float], None]  # called after each epoch with its number, loss and figure
MAX_LEAVES: Final = 8192  # scored in one piece; hardly any page has more


@dataclass(frozen=True, slots=True)
class FitTask:
    """What a network learns: the pages to train on, those to check it on, and how."""

    data: Inputs
    targets: Floats  # the score it should give each leaf; NaN if unknown
    train: Sequence[int]
    check: Sequence[int]
    judge: Judge

    def fingerprint(self, recipe: BoilernetRecipe, seed: int) -> str:
        """Return a hash of pages, vocabulary, gold, recipe and seed.

        The scores of a teacher are not part of it, since they differ a little between machines.
        """
        whole = hashlib.sha256(f"{recipe} {seed} {[*self.train]}".encode())
        for array in (self.data.size, self.data.entries, self.data.column, self.data.labels):
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()


def fit(task: FitTask, recipe: BoilernetRecipe, seed: int, on_epoch: OnEpoch, checkpoint: Path) -> LeafNet:
    """Return the network of the epoch with the best figure, of those that the recipe chooses from.

    After every epoch the state is written to the file `checkpoint`, from which an interrupted training continues; in
    the end it contains the network alone.
    """
    torch.manual_seed(seed)
    store, random = DeviceInputs.of(task.data), np.random.default_rng(seed)
    net: LeafNet = LeafNet(task.data.width, recipe).to(store.device)
    adam = torch.optim.Adam(net.parameters(), recipe.rate, eps=recipe.epsilon)
    state = _FitState(net, adam, random, recipe, task.fingerprint(recipe, seed))
    pieces, weights = pieces_of(task.data, task.train, recipe.longest), _weights(task, recipe)
    draw = similar_batches if recipe.batches == "alike" else even_batches
    if checkpoint.exists():
        state.load(checkpoint, store.device)
    while state.epoch < recipe.epochs:
        loss = _epoch(state, store, task, draw(pieces, recipe.batch, random), weights)
        state.finish(task.judge(scores(state.averaged.module, store, task.data, task.check)))
        state.save(checkpoint)
        on_epoch(state.epoch, loss, state.last)
    net.load_state_dict(state.best)
    net.eval()
    return net


def finished(checkpoint: Path, recipe: BoilernetRecipe) -> bool:
    """Return whether a file contains a completely trained network."""
    return checkpoint.exists() and int(_record(checkpoint, "cpu").get("epoch", 0)) >= recipe.epochs


def _record(path: Path, device: str) -> dict[str, Any]:
    try:
        record: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except (*DAMAGED, UnpicklingError) as error:
        raise InputError(f"{path} does not contain a network in training: {error}; remove it") from error
    return record


class _FitState:
    """What changes during training."""

    def __init__(
        self, net: LeafNet, optimiser: Any, random: np.random.Generator, recipe: BoilernetRecipe, fingerprint: str
    ) -> None:
        self.net, self.optimiser, self.random = net, optimiser, random
        self.recipe, self.fingerprint = recipe, fingerprint
        # What is checked and kept; with a decay of 0 it is the network itself.
        self.averaged: Any = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(recipe.averaged))
        self.epoch, self.figure, self.last, self.best = 0, -1.0, -1.0, copy.deepcopy(net.state_dict())

    def set_rate(self, done: float) -> None:
        """Set the learning rate after a share of the epoch."""
        if self.recipe.falling:
            share = (self.epoch + done) / self.recipe.epochs
            self.optimiser.param_groups[0]["lr"] = self.recipe.rate * (0.5 + 0.5 * float(np.cos(np.pi * share)))

    def finish(self, figure: float) -> None:
        """End an epoch, and keep the network if it is the best so far of those to choose from."""
        self.epoch, self.last = self.epoch + 1, figure
        late = self.epoch > self.recipe.epochs - self.recipe.chosen_from
        if late and figure >= self.figure:  # of two equally good ones the later
            self.figure, self.best = figure, copy.deepcopy(self.averaged.module.state_dict())

    def save(self, path: Path) -> None:
        """Write everything to a file, completely or not at all."""
        record: dict[str, Any] = {"fingerprint": self.fingerprint, "epoch": self.epoch}
        record |= {"figure": self.figure, "best": self.best}
        if self.epoch < self.recipe.epochs:
            record |= {
                "net": self.net.state_dict(),
                "averaged": self.averaged.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "torch": torch.get_rng_state(),
                "cuda": torch.cuda.get_rng_state() if torch.cuda.is_available() else None,
                "random": json.dumps(self.random.bit_generator.state),
            }
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_atomically(path) as part:
            torch.save(record, part)

    def load(self, path: Path, device: str) -> None:
        """Read what `save` wrote."""
        record = _record(path, device)
        if record.get("fingerprint") != self.fingerprint:
            raise InputError(f"{path} was trained on other pages, with another seed or by another recipe; remove it")
        self.best, self.epoch, self.figure = record["best"], record["epoch"], record["figure"]
        if self.epoch < self.recipe.epochs:
            self.net.load_state_dict(record["net"])
            self.averaged.load_state_dict(record["averaged"])
            self.optimiser.load_state_dict(record["optimiser"])
            torch.set_rng_state(record["torch"].cpu())
            if record["cuda"] is not None and torch.cuda.is_available():
                torch.cuda.set_rng_state(record["cuda"].cpu())
            self.random.bit_generator.state = json.loads(record["random"])


def _weights(task: FitTask, recipe: BoilernetRecipe) -> Floats:
    """Return the weight of each leaf as boilerplate, then as content; 0 if its label is unknown."""
    data = task.data
    inside = np.repeat(np.isin(np.arange(len(data.size)), task.train), data.size)
    known = inside & ~np.isnan(task.targets)
    counts = known.astype(np.float64)
    if recipe.by_words:
        counts *= np.sqrt(np.maximum(data.sizes, 1))
        page = np.repeat(np.arange(len(data.size)), data.size)
        sums = np.bincount(page, counts, len(data.size))
        counts /= np.sqrt(np.maximum(sums, 1))[page]
    targets = np.nan_to_num(task.targets)
    parts = np.array([(counts * targets).sum(), (counts * (1 - targets)).sum()])
    share = counts.sum() / np.maximum(2 * parts, 1e-9) if recipe.balanced else np.ones(2)
    weights: Floats = (counts * share[:, None] / counts[known].mean()).astype(np.float32)
    return weights


def _epoch(
    state: _FitState, store: DeviceInputs, task: FitTask, batches: Sequence[list[Piece]], weights: Floats
) -> float:
    net, total, leaves = state.net.train(), 0.0, 0
    targets = np.nan_to_num(task.targets)
    for at, pieces in enumerate(batches):
        state.set_rate(at / len(batches))
        batch = store.batch(pieces)
        target = torch.from_numpy(targets[batch.leaves]).to(store.device)
        counts = torch.from_numpy(weights[:, batch.leaves]).to(store.device)
        counts = counts[0] * target + counts[1] * (1 - target)
        losses = binary_cross_entropy_with_logits(net.logits(batch), target, reduction="none")
        shared = len(target) if state.recipe.batches == "alike" else batch.padded_size
        loss = (losses * counts).sum() / shared
        state.optimiser.zero_grad()
        loss.backward()
        if state.recipe.clip:
            torch.nn.utils.clip_grad_norm_(net.parameters(), state.recipe.clip)
        state.optimiser.step()
        state.averaged.update_parameters(net)
        total, leaves = total + float(loss.detach()) * shared, leaves + len(target)
    return total / max(leaves, 1)


def scores(net: LeafNet, store: DeviceInputs, data: Inputs, pages: Sequence[int]) -> Floats:
    """Return the scores of the leaves of some pages, one page after the other."""
    net.eval()
    pieces = pieces_of(data, pages, MAX_LEAVES)
    order = sorted(range(len(pieces)), key=lambda at: pieces[at][1] - pieces[at][0])
    scored: dict[Piece, Floats] = {}
    with torch.no_grad():
        for at in range(0, len(order), 32):
            chosen = [pieces[index] for index in order[at : at + 32]]
            output = torch.sigmoid(net.logits(store.batch(chosen))).cpu().numpy()
            edges = np.cumsum([last - first for first, last in chosen])[:-1]
            scored |= dict(zip(chosen, np.split(output, edges), strict=True))
    return np.concatenate([np.zeros(0, np.float32), *(scored[piece] for piece in pieces)])
