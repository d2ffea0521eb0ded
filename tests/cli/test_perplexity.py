"""dehusk perplexity, dehusk strip and plain text in dehusk extract: what they print, and folders of many files."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dehusk import Limits
from dehusk.processes import descendants
from testing.processes import wait_for_end
from tests.cli.conftest import Run

PERPLEXITY = [sys.executable, "-c", "from dehusk.cli import main; main()", "perplexity"]
STORY = "It had rained for nine days and nights. Then the sun came out again. Kqx zzw FAQ §§ vvb!\n"
RUSSIAN = "Он вышел из дома рано утром и долго шёл по дороге, которая вела к реке. " * 6


@pytest.fixture
def run(dehusk: Run) -> Run:
    """Return a function that runs the command line in a folder with a page and three texts."""
    Path("texts").mkdir()
    for name in ("a.txt", "b.txt", "c.md"):
        (Path("texts") / name).write_text(STORY, encoding="utf-8")
    Path("page.html").write_text("<title>T</title><script>x()</script><p>Menu<p>It had rained <b>all</b> night.")
    return dehusk


def signs(out: str) -> list[str]:
    return [line.split()[1] for line in out.splitlines()]


class TestPerplexity:
    def test_words_are_scored_sentence_by_sentence(self, run: Run) -> None:
        ended = run("perplexity", STORY)
        assert (ended.status, ended.err) == (0, "")
        assert signs(ended.out) == ["+", "+", "-"]
        assert "\x1b" not in ended.out
        first, *_, last = (int(line.split()[0].replace(",", "")) for line in ended.out.splitlines())
        assert first < 500
        assert last > 20_000

    def test_a_file_and_standard_input_give_the_same(self, run: Run) -> None:
        scored = run("perplexity", STORY).out
        assert run("perplexity", stdin=STORY.encode()).out == run("perplexity", "texts/a.txt").out == scored
        both = run("perplexity", "--jobs", "1", "texts/a.txt", "texts/b.txt").out
        assert both == f"==> texts/a.txt <==\n{scored}==> texts/b.txt <==\n{scored}"

    def test_json_has_every_sentence(self, run: Run) -> None:
        found = json.loads(run("perplexity", "--format", "json", "texts/a.txt").out)
        assert (found["file"], found["model"], len(found["sentences"])) == ("texts/a.txt", "en", 3)
        assert [each["kept"] for each in found["sentences"]] == [True, True, False]
        assert all(each["perplexity"] >= 1 and 0 <= each["score"] <= 1 for each in found["sentences"])

    def test_html_can_be_scored_too(self, run: Run) -> None:
        assert run("perplexity", "--input", "html", "page.html").out.count("\n") == 2
        words = run("perplexity", "--input", "html", "It had rained <b>all</b> night.").out
        assert words == run("perplexity", "It had rained all night.").out

    def test_words_may_have_the_signs_of_a_pattern(self, run: Run) -> None:
        ended = run("perplexity", "Is it in [1] or in * that we have seen it?")
        assert (ended.status, signs(ended.out)) == (0, ["+"])
        assert "no such file" in run("perplexity", "no such/*.txt").err

    def test_words_cannot_have_an_output_folder(self, run: Run) -> None:
        ended = run("perplexity", "--output", "x", STORY)
        assert (ended.status, ended.out, Path("x").exists()) == (2, "", False)
        assert "leave it out to score words" in ended.err
        assert "--resume needs --output" in run("perplexity", "--resume", STORY).err

    def test_a_text_without_sentences_or_with_too_many_is_reported(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("empty.txt").touch()
        assert run("perplexity", "empty.txt").err == "dehusk: empty.txt: no text\n"
        assert json.loads(run("perplexity", "--format", "json", "empty.txt").out)["perplexity"] is None
        monkeypatch.setattr("dehusk.perplexity.Limits", lambda: Limits(blocks=2))
        ended = run("perplexity", "texts/a.txt")
        assert (ended.status, signs(ended.out)) == (0, ["+", "+"])
        assert ended.err == "dehusk: texts/a.txt: cut off after 2 sentences\n"

    def test_a_model_is_chosen_by_name_folder_or_language(self, run: Run) -> None:
        german = "Es hat die ganze Nacht geregnet, und der Weg war nicht mehr zu sehen."
        chosen = json.loads(run("perplexity", "--format", "json", german).out)
        assert chosen["model"] == "de"
        english = json.loads(run("perplexity", "--format", "json", "--model", "en", german).out)
        assert english["perplexity"] > 5 * chosen["perplexity"]

    def test_a_model_that_is_not_there_is_wrong_usage(self, run: Run) -> None:
        ended = run("perplexity", "--model", "tlh", "texts")
        assert (ended.status, ended.out) == (2, "")
        assert ended.err.startswith("dehusk: there is no language model for 'tlh'; there are de, en")
        assert "no language model for 'xxx" in run("perplexity", "--model", "x" * 5000, STORY).err
        assert "texts/model.json cannot be read" in run("perplexity", "--model", "texts", STORY).err

    def test_a_language_without_a_model_is_reported_by_file(self, run: Run) -> None:
        Path("texts/b.txt").write_text(RUSSIAN, encoding="utf-8")
        ended = run("perplexity", "--jobs", "1", "texts")
        assert ended.status == 1
        assert "dehusk: texts/b.txt: there is no language model for 'ru'" in ended.err
        assert ended.out.count("==>") == 2
        assert run("perplexity", RUSSIAN).status == 2

    def test_several_texts_and_single_words(self, run: Run) -> None:
        ended = run("perplexity", "It had rained all night.", "rain", "Kqx zzw FAQ §§ vvb!")
        assert (ended.status, ended.err, len(ended.out.splitlines())) == (0, "", 3)
        assert ended.out.splitlines()[1].endswith(" rain")
        rows = [json.loads(line) for line in run("perplexity", "-f", "json", "rain", "It rained.").out.splitlines()]
        assert [row["sentences"][0]["text"] for row in rows] == ["rain", "It rained."]
        assert "score words and files (texts/a.txt) one after the other" in run("perplexity", "rain", "texts/a.txt").err

    def test_a_limit_is_in_perplexity_and_takes_no_account_of_length(self, run: Run) -> None:
        found = json.loads(run("perplexity", "-f", "json", STORY).out)["sentences"]
        limit = str(found[0]["perplexity"] - 1)
        assert found[1]["perplexity"] < found[0]["perplexity"]
        assert signs(run("perplexity", "--limit", limit, STORY).out) == ["-", "+", "-"]
        for wrong in ("1", "2000000", "nan"):
            assert (
                "limit must be a number above 1 and below 1,000,000" in run("perplexity", "--limit", wrong, STORY).err
            )

    @pytest.mark.parametrize("word", ["nowhere.txt", "no/where", "page?.html", "C:\\nowhere"])
    def test_what_is_written_like_a_file_must_be_one(self, run: Run, word: str) -> None:
        ended = run("perplexity", word)
        assert ended.status == 2
        assert "no such file or folder" in ended.err

    def test_a_terminal_shows_colours_a_pipe_does_not(self) -> None:
        for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            master, slave = pty.openpty()
            subprocess.run([*PERPLEXITY, STORY], stdout=slave, check=True, env={**os.environ, **environment})
            os.close(slave)
            shown = os.read(master, 65_536)
            os.close(master)
            assert (b"\x1b[38;5;" in shown) == coloured


@pytest.mark.slow
class TestManyFiles:
    @pytest.fixture
    def thousand(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Return a folder of 1,000 texts."""
        monkeypatch.chdir(tmp_path)
        folder = tmp_path / "many"
        folder.mkdir()
        for number in range(1000):
            (folder / f"{number:03}.txt").write_text(STORY, encoding="utf-8")
        return folder

    def test_progress_an_unreadable_file_and_its_count(self, thousand: Path) -> None:
        (thousand / "400.txt").unlink()
        (thousand / "400.txt").symlink_to("/proc/self/mem")  # which not even root can read from its beginning
        (thousand / "500.txt").write_bytes(b"%PDF-1.7")
        master, slave = pty.openpty()
        command = [*PERPLEXITY, "--output", "scores", "--jobs", "1", "many"]
        process = subprocess.Popen(command, stderr=slave, stdout=subprocess.DEVNULL)
        os.close(slave)
        shown = b""
        try:
            while piece := os.read(master, 65_536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        assert process.wait() == 1
        os.close(master)
        assert b"/1000" in shown
        assert b"many/500.txt: not text: PDF" in shown
        assert b"many/400.txt: cannot be read: Input/output error" in shown
        assert b"1,000 pages: 998 done, 1 unreadable, 1 not a page" in shown
        assert len(list(Path("scores/many").glob("*.txt"))) == 998

    @pytest.mark.usefixtures("thousand")
    def test_ctrl_c_ends_the_run_and_its_workers_and_resume_continues(self) -> None:
        # Tests that run in the background are started with Ctrl-C ignored, and would pass that on.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        command = [*PERPLEXITY, "--output", "scores", "--jobs", "2", "many"]
        process = subprocess.Popen(
            [*command, "-"],  # the end of which does not come, so that the run cannot end before the signal
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        signal.signal(signal.SIGINT, before)
        assert process.stdin
        process.stdin.write(STORY)
        process.stdin.flush()
        while not list(Path().glob("scores/many/*.txt")):
            time.sleep(0.02)  # without a limit of its own: pytest has one
        _, *children = descendants(process.pid)
        assert children
        os.killpg(process.pid, signal.SIGINT)
        err = process.communicate()[1]
        assert (process.returncode, err) == (130, "dehusk: interrupted; run again with --resume to continue\n")
        wait_for_end(children)
        done = {path: path.stat().st_mtime_ns for path in Path("scores/many").glob("*.txt")}
        again = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=False)
        assert again.returncode == 0
        assert f"{len(done)} skipped" in again.stderr
        assert len(list(Path("scores/many").glob("*.txt"))) == 1000
        assert all(path.stat().st_mtime_ns == when for path, when in done.items())


class TestStrip:
    def test_tags_go_and_text_stays(self, run: Run) -> None:
        assert run("strip", "page.html") == (0, "Menu\nIt had rained all night.\n", "")
        assert run("strip", stdin=b"<p>a<p>b").out == "a\nb\n"

    def test_a_folder_goes_to_a_folder(self, run: Run) -> None:
        Path("pages").mkdir()
        for name in ("one", "two"):
            Path(f"pages/{name}.html").write_text(f"<p>{name}")
        assert run("strip", "--output", "out", "pages").status == 0
        assert Path("out/pages/two.txt").read_text() == "two\n"


class TestPlainText:
    def test_text_is_not_parsed(self, run: Run) -> None:
        ended = run("extract", "--input", "text", "--method", "alltext", stdin=b"a < b and\n<p> is no tag\n")
        assert ended.out == "a < b and\n<p> is no tag\n"

    def test_extract_drops_annotate_tags_alltext_keeps(self, run: Run) -> None:
        dropped = run("extract", "--input", "text", "--method", "pyplexity", "texts/a.txt").out
        assert dropped == "It had rained for nine days and nights. Then the sun came out again.\n"
        tagged = run("annotate", "--input", "text", "--method", "pyplexity", "texts/a.txt").out
        assert [line.split()[2] for line in tagged.splitlines()] == ["+", "+", "-"]
        assert run("extract", "--input", "text", "--method", "alltext", "texts/a.txt").out == STORY

    def test_model_and_limit_are_for_pyplexity(self, run: Run) -> None:
        text = ["--input", "text", "--format", "json", "texts/a.txt"]
        usual = json.loads(run("annotate", "--method", "pyplexity-plain", *text).out)["blocks"]
        science = json.loads(run("annotate", "--method", "pyplexity-plain", "--set", "model=en-science", *text).out)[
            "blocks"
        ]
        assert [row["score"] for row in usual] != [row["score"] for row in science]
        strict = json.loads(run("annotate", "--method", "pyplexity-plain", "--set", "limit=2", *text).out)["blocks"]
        assert not any(row["kept"] for row in strict)
        ended = run("extract", "--set", "limit=9", "page.html")
        assert ended.err == "dehusk: method 'kernel' has no setting 'limit'; pyplexity has\n"
        ended = run("extract", "-m", "pyplexity", "--set", "model=tlh", "page.html")
        assert "no language model for 'tlh'" in ended.err

    def test_a_folder_holds_texts(self, run: Run) -> None:
        ended = run("extract", "--input", "text", "--method", "alltext", "--jobs", "1", "texts")
        named = "".join(f"==> texts/{name} <==\n{STORY}" for name in ("a.txt", "b.txt", "c.md"))
        assert (ended.status, ended.out) == (0, named)

    def test_json_lines_have_the_text_in_a_field(self, run: Run) -> None:
        line = json.dumps({"id": 7, "text": STORY})
        found = json.loads(run("extract", "--input", "text", "--method", "pyplexity", stdin=line.encode()).out)
        assert found["id"] == 7
        assert found["text"].endswith("again.")
        assert run("extract", "--input", "text", "--method", "alltext", stdin=b"{x} is a set.").out == "{x} is a set.\n"
        ended = run("extract", "--input", "text", stdin=b'{"html": "<p>x"}')
        assert "no field 'text'" in ended.err

    def test_a_page_in_a_language_without_a_model_ends_with_1(self, run: Run) -> None:
        ended = run("extract", "--method", "pyplexity", stdin=f"<meta charset=utf-8><p>{RUSSIAN}".encode())
        assert (ended.status, ended.out) == (1, "")
        assert "there is no language model for 'ru'" in ended.err
