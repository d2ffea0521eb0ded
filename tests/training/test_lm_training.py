"""Training of language models: bounded memory, weighted sources, and the command."""

import gzip
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard

from dehusk.cli import main
from dehusk.errors import InputError, UsageError
from dehusk.lm.model import LanguageModel
from dehusk.lm.table import ProbabilityTable
from dehusk.lm.tokens import grams, tokens
from dehusk.training.lm import build, counts, fit, text_files
from dehusk.training.lm.counts import NgramCounts

LINES = [f"The {animal} sat on the {thing}. It was {colour}." for animal in ("cat", "dog", "cow") for thing in
         ("mat", "mill", "moon", "roof") for colour in ("red", "blue", "green", "grey", "brown")]  # fmt: skip


def counted(folder: Path, *sources: list[str], order: int = 2) -> NgramCounts:
    found = NgramCounts(folder, order)
    for source in sources:
        found.add(source)
    return found


def probability(table: ProbabilityTable, *words: str) -> float:
    found = tokens([" ".join(words)])
    return float(table.probability(grams(found, len(words))[len(words) - 1 : len(words)])[0])


class TestCounts:
    def test_probabilities_are_what_was_counted(self, tmp_path: Path) -> None:
        made, _ = build.tables(counted(tmp_path, ["a b", "a c", "a b"]), 10**6)
        assert probability(made[1], "a", "b") == pytest.approx(2 / 3, rel=0.04)
        assert probability(made[1], "a", "c") == pytest.approx(1 / 3, rel=0.04)
        assert probability(made[1], "b", "a") == 0
        assert probability(made[0], "a") == pytest.approx(3 / 9, rel=0.04)  # six words, three ends of sentences

    def test_trigrams_too(self, tmp_path: Path) -> None:
        made, _ = build.tables(counted(tmp_path, ["a b c", "a b d", "x b d"], order=3), 10**6)
        assert probability(made[2], "a", "b", "c") == pytest.approx(1 / 2, rel=0.04)
        assert probability(made[2], "x", "b", "d") == pytest.approx(1, rel=0.04)

    def test_runs_on_disk_make_no_difference(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        whole, _ = build.tables(counted(tmp_path, LINES, LINES[:7]), 10**6)
        monkeypatch.setattr(counts, "ROOM", 40)
        monkeypatch.setattr(counts, "PART", 10)
        monkeypatch.setattr("dehusk.lm.tokens.BATCH", (3, 10**6))
        (tmp_path / "parts").mkdir()
        in_parts = counted(tmp_path / "parts", LINES, LINES[:7])
        assert len(in_parts.runs[2]) > 10
        again, _ = build.tables(in_parts, 10**6)
        assert [table.bytes().tolist() for table in again] == [table.bytes().tolist() for table in whole]

    def test_a_small_source_is_not_drowned(self, tmp_path: Path) -> None:
        made, _ = build.tables(counted(tmp_path, ["a b"] * 10_000, ["a c"] * 100), 10**6)
        assert probability(made[1], "a", "c") == pytest.approx(1 / 11, rel=0.04)

    def test_rare_n_grams_go_until_the_model_fits(self, tmp_path: Path) -> None:
        random = np.random.default_rng(0)
        words = [f"w{number}" for number in random.zipf(1.3, 60_000).clip(0, 5000)]
        lines = [" ".join(words[place : place + 10]) for place in range(0, len(words), 10)]
        lines = ["".join(chr(97 + int(digit)) if digit.isdigit() else digit for digit in line) for line in lines]
        found = counted(tmp_path, lines)
        full = sum(len(table.bytes()) for table in build.tables(found, 10**7)[0])
        for size in (full - 10_000, full - 30_000):
            made, floors = build.tables(found, size)
            assert sum(len(table.bytes()) for table in made) <= size + 16
            assert floors[1] > 1
        with pytest.raises(UsageError, match="too small"):
            build.tables(found, 300_000)

    def test_least_leaves_out_what_comes_once(self, tmp_path: Path) -> None:
        made, _ = build.tables(counted(tmp_path, ["a b", "a b", "a c"]), 10**6, least=2)
        assert probability(made[1], "a", "c") == 0
        # What was left out still counts as something that came after a.
        assert probability(made[1], "a", "b") == pytest.approx(2 / 3, rel=0.04)


class TestText:
    @pytest.mark.parametrize(
        ("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress), (".zst", zstandard.compress)]
    )
    def test_plain_and_compressed_files_read_the_same(
        self, tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
    ) -> None:
        path = tmp_path / f"x.txt{suffix}"
        path.write_bytes(pack("One. Two über.\nThree".encode()))
        assert text_files.find([tmp_path]) == [path]
        assert list(text_files.sentences(path)) == ["One.", "Two über.", "Three"]

    def test_unreadable_files_are_errors(self, tmp_path: Path) -> None:
        (tmp_path / "x.txt.gz").write_bytes(b"no gzip")
        with pytest.raises(InputError, match=r"x\.txt\.gz cannot be read"):
            list(text_files.sentences(tmp_path / "x.txt.gz"))
        with pytest.raises(InputError, match="no such file"):
            text_files.find([tmp_path / "none"])
        (tmp_path / "empty").mkdir()
        with pytest.raises(InputError, match="no text in folder"):
            text_files.find([tmp_path / "empty"])

    @pytest.mark.parametrize(
        "data", ["Größe. ".encode("utf-16") * 99, "Größe. ".encode("cp1252") * 99, b"\x00\x80" * 99]
    )
    def test_other_encodings_are_errors(self, tmp_path: Path, data: bytes) -> None:
        (tmp_path / "x.txt").write_bytes(data * 2)
        with pytest.raises(InputError, match=r"x\.txt is not text in UTF-8"):
            list(text_files.sentences(tmp_path / "x.txt"))

    def test_a_few_wrong_bytes_are_forgiven(self, tmp_path: Path) -> None:
        (tmp_path / "x.txt").write_bytes(b"A caf\xe9. " + b"Some more words. " * 99)
        assert len(list(text_files.sentences(tmp_path / "x.txt"))) == 100

    def test_a_file_without_line_ends_is_read_in_pieces(self, tmp_path: Path) -> None:
        (tmp_path / "x.txt").write_text("word " * 100_000)
        assert max(map(len, text_files.sentences(tmp_path / "x.txt"))) <= text_files.MAX_LINE

    def test_progress_has_the_announced_number_of_steps(self, tmp_path: Path) -> None:
        (tmp_path / "x.txt").write_text("A few words. " * 60_000)
        ticks: list[int] = []
        list(text_files.sentences(tmp_path / "x.txt", lambda: ticks.append(1)))
        assert len(ticks) == text_files.steps([tmp_path / "x.txt"]) == 2


class TestCommand:
    def train(self, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["dehusk", "train", "lm", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        return int(caught.value.code or 0)

    def test_a_model_is_made_again_byte_by_byte(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("a.txt").write_text("\n".join(LINES * 5))
        Path("b.txt").write_text("\n".join(LINES[::7]))
        Path("sources.json").write_text('{"a.txt": {"licence": "CC0"}}')
        for name in ("one", "two"):
            options = ["--lang", "en", "--output", name, "--sources", "sources.json"]
            assert self.train(monkeypatch, *options, "a.txt", "b.txt") == 0
        assert Path("one/ngrams.npy").read_bytes() == Path("two/ngrams.npy").read_bytes()
        about = json.loads(Path("one/model.json").read_text())
        assert about["command"] == "dehusk train lm --lang en --order 2 --megabytes 4 a.txt b.txt"
        # 300 lines of 11 words, and of 600 sentences one in fifty held back, which is always the second of a line.
        assert about["sources"][0] == {"file": "a.txt", "words": 3252, "licence": "CC0"}
        assert b"cat" not in Path("one/ngrams.npy").read_bytes()  # no word, only hashes
        model = LanguageModel.load(Path("one"))
        perplexities, scores = model.measured(["The cow sat on the roof.", "Roof the on it zebra"])
        assert perplexities[0] < 10
        assert perplexities[1] > 100
        assert scores[0] < 0.5 < scores[1]

    def test_the_cut_off_lies_above_most_held_out_sentences(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("\n".join(LINES * 20))
        model, figures = fit.fit([tmp_path / "a.txt"], fit.LmRecipe("en"))
        assert figures.held_out == len(LINES) * 40 // fit.EVERY
        assert (model.measured([line.split(". ")[0] + "." for line in LINES])[1] < 0.5).all()

    def test_many_short_files_have_held_out_sentences(self, tmp_path: Path) -> None:
        for number, line in enumerate(LINES):
            (tmp_path / f"{number}.txt").write_text(line)
        _, figures = fit.fit(text_files.find([tmp_path]), fit.LmRecipe("en"))
        assert figures.held_out == 2 * len(LINES) // fit.EVERY

    def test_counting_restarts_after_a_source_with_held_out_sentences(self) -> None:
        held_out = fit.HeldOut()
        for source in (["a"] * 49, ["b"] * 2, ["c"] * 49, ["d"] * 40):
            list(held_out.others(source))
        assert held_out.sentences == [[], ["b"], [], ["d"]]

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--lang", "en", "--output", "a.txt/x", "a.txt"],
            ["--lang", "english", "--output", "x", "a.txt"],
            ["--lang", "en", "--output", "full", "a.txt"],
            ["--lang", "en", "--output", "x", "none.txt"],
            ["--lang", "en", "--output", "x", "--sources", "none.json", "a.txt"],
            ["--lang", "en", "--output", "x", "--sources", "a.txt", "a.txt"],
            ["--lang", "en", "--output", "x", "blank.txt"],
            ["--lang", "en", "--output", "x", "--order", "4", "a.txt"],
        ],
    )
    def test_wrong_usage_is_an_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("full").mkdir()
        Path("full/file").write_text("x")
        Path("a.txt").write_text("Too little text.")
        Path("blank.txt").write_text(" \n")
        assert self.train(monkeypatch, *arguments) == 2
