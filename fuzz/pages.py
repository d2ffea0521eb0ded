"""The page fuzzer: `python -m fuzz.pages --minutes 120 --jobs 2`. It resumes where it stopped; see fuzz/README.md."""

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzz import failures, seeds
from fuzz.campaign import Budget, Campaign, Places, still_fails
from fuzz.child import Child
from fuzz.state import State
from fuzz.tables import pages_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as asked; the exit status is 1 if any failure is left."""
    options = _parser().parse_args(arguments)
    places = Places(options.folder)
    if options.replay:
        return replay([options.replay], places)
    if options.replay_all:
        return replay(failures.saved_pages(places.failures), places, drop_mended=options.drop_mended)
    if options.table:
        print(pages_table(State.load(places.state), places.failures))
        return 0
    if options.fresh:
        failures.clear(places.failures)
        places.state.unlink(missing_ok=True)
    state = State.load(places.state) if places.state.exists() else State(_seed(options.seed))
    pages = seeds.golden_pages() + ([] if options.golden else seeds.real_pages())
    print(f"seed {state.seed}, from input {state.next}, {len(pages)} pages", file=sys.stderr)
    campaign = Campaign(state, pages, places, options.jobs)
    campaign.run(Budget(options.minutes * 60 if options.minutes else options.seconds, options.executions))
    print(pages_table(state, places.failures))
    return 1 if failures.saved_pages(places.failures) else 0


def _seed(given: int | None) -> int:
    return secrets.randbelow(10**9) if given is None else given


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz.pages", description=__doc__)
    parser.add_argument("--minutes", type=float, help="run this long, in place of --seconds")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--executions", type=float, default=float("inf"), help="or up to this many executions")
    parser.add_argument("--jobs", type=int, default=1, help="child processes")
    parser.add_argument("--seed", type=int, help="of a new campaign; drawn if not given")
    parser.add_argument("--fresh", action="store_true", help="forget the campaign in the folder and its failures")
    parser.add_argument("--golden", action="store_true", help="begin with golden pages only")
    parser.add_argument("--folder", type=Path, default=Places().folder, help="state and failures  [build/fuzz]")
    parser.add_argument("--table", action="store_true", help="print the table of the campaign in the folder")
    parser.add_argument("--replay", type=Path, help="run one saved failure")
    parser.add_argument("--replay-all", action="store_true", help="run all saved failures")
    parser.add_argument(
        "--drop-mended", action="store_true", help="with --replay-all: forget those that no longer fail"
    )
    return parser


def replay(paths: Sequence[Path], places: Places, *, drop_mended: bool = False) -> int:
    """Run saved failures, print which still fail, and return 1 if any does."""
    seeds.write(seeds.golden_pages(), seed_file := places.folder / "replay.pickle")
    failing = 0
    with Child(seed_file) as child:
        for path in paths:
            found = still_fails(child, failures.load(path))
            failing += found is not None
            print(f"{'fails ' if found else 'mended'} {path}" + (f"\n       {found.message}" if found else ""))
            if found is None and drop_mended:
                path.unlink()
                path.with_suffix(".json").unlink()
    print(f"{failing} of {len(paths)} still fail")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
