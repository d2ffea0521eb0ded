"""A model of the user's own, by the name of its folder: on the command line and in Python."""

import json
import os
import shutil
from pathlib import Path

import pytest

from dehusk import Extractor, extract
from dehusk.errors import ModelError
from dehusk.lm import shipped
from dehusk.methods.ncleaner import Ncleaner
from dehusk.model_files import shipped_folder
from dehusk.models.folders import folder_method
from dehusk.models.registry import method
from dehusk.training.texrex import pages
from dehusk.training.texrex.rprop import TexrexRecipe
from tests.cli.conftest import Run
from tests.helpers.train_command import train

STORY = "The hens had gone to roost before the rain came over the hill, and nobody had shut the gate to the field."
MENU = "<ul><li><a href=/>LOGIN</a><li><a href=/b>BUY NOW 50% OFF</a><li><a href=/c>SHARE TWEET PIN</a></ul>"
PAGE = f"<html lang=en>{MENU}<p>{STORY}</p>{MENU}"
FOLDERS = ("kernel", "texrex", "texrex-quirks", "ncleaner", "boilernet", "boilernet-small")


@pytest.fixture
def own_pages(tmp_path: Path) -> Path:
    """Return a folder of pages with gold."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.html").write_text(PAGE.replace("hens", f"{number + 2} hens"))
        (folder / f"{number}.txt").write_text(STORY.replace("hens", f"{number + 2} hens"))
    return folder


def check(run: Run, folder: Path) -> None:
    """Extract a page with the model of a folder, by its name on the command line, beside others and in Python."""
    for name in ("page.html", "other.html"):
        Path(name).write_text(PAGE)
    ended = run("extract", "--method", folder.name, "page.html")
    assert ended.status == 0, ended.err
    assert STORY in ended.out
    assert "BUY NOW" not in ended.out
    assert run("annotate", "--method", f"./{folder.name}", "page.html", "other.html").out.count("\n") >= 2 * 7
    assert extract(PAGE, method=folder).text == Extractor(str(folder)).extract(PAGE).text == ended.out.rstrip("\n")


def test_ncleaner(dehusk: Run, tmp_path: Path, own_pages: Path) -> None:
    done = train("ncleaner", "--corpus", str(own_pages), "--one", "--output", str(tmp_path / "my-nc"), "--jobs", "1")
    assert done.exit_code == 0, done.output
    check(dehusk, tmp_path / "my-nc")


def test_texrex(dehusk: Run, tmp_path: Path, own_pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "RECIPE", TexrexRecipe(epochs=40))
    features = "--features", str(tmp_path / "work" / "features.npz")
    options = "--corpus", str(own_pages), *features, "--jobs", "1"
    done = train("texrex", *options, "--output", str(tmp_path / "my-texrex"))
    assert done.exit_code == 0, done.output
    check(dehusk, tmp_path / "my-texrex")


def test_a_language_model(dehusk: Run, tmp_path: Path) -> None:
    text = [f"{STORY} The {animal} had gone to the {place}." for animal in "abcdef" for place in "ghijklmn"]
    (tmp_path / "text.txt").write_text("\n".join(text * 3))
    done = train("lm", "--lang", "en", "--output", str(tmp_path / "my-en"), str(tmp_path / "text.txt"))
    assert done.exit_code == 0, done.output
    check(dehusk, tmp_path / "my-en")


@pytest.mark.parametrize("name", FOLDERS)
def test_a_copy_of_a_shipped_folder_is_that_method(tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copytree(shipped_folder(name), tmp_path / "copy"))
    mine, theirs = (extract(PAGE, method=each).scores for each in (copy, name))
    assert mine.values.tolist() == theirs.values.tolist()
    assert mine.model == theirs.model


def test_so_is_a_language_model() -> None:
    mine, theirs = (extract(PAGE, method=each).scores for each in (shipped.folder() / "en", "pyplexity"))
    assert mine.values.tolist() == theirs.values.tolist()


def test_evaluate_and_compare_take_folders(dehusk: Run, own_pages: Path) -> None:
    shutil.copytree(shipped_folder("ncleaner"), "my-nc")
    chosen = "--method", "my-nc", "--method", "bte", "--corpus", "mine", "--jobs", "1"
    ended = dehusk("evaluate", *chosen, "--output", "lab")
    assert ended.status == 0, ended.err
    assert {"my-nc", "bte"} <= set(ended.out.split())
    assert '"my-nc"' in Path("lab/evaluation.json").read_text(encoding="utf-8")
    assert "cannot run" in dehusk("evaluate", "--method", "mine", "--corpus", "mine").err
    assert "there is no method or peer 'my-c'" in dehusk("compare", "--method", "my-c", "--corpus", "mine").err


def test_a_name_comes_before_a_folder_of_that_name(dehusk: Run) -> None:
    shutil.copytree(shipped_folder("ncleaner"), "bte")
    assert method("bte").name == "bte"
    assert isinstance(method("./bte"), Ncleaner)
    assert isinstance(method(Path("bte")), Ncleaner)


def test_a_folder_trained_again_is_read_again(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(shipped_folder("texrex"), tmp_path / "mine"))
    first = method(folder)
    assert method(folder) is first
    shutil.rmtree(folder)
    shutil.copytree(shipped_folder("texrex-quirks"), folder, copy_function=shutil.copyfile)
    assert method(folder).name == "texrex-quirks"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"format": 1}, "does not say which method it is for; retrain it, or add"),
        ({"format": 1, "method": "parser"}, "'parser', which is not installed; this version knows kernel, "),
        ({"format": 1, "method": ["kernel"]}, "is for the method"),
        ({"format": 9, "method": "ncleaner"}, "weights.npz cannot be read"),
        ({"format": 9, "method": "pyplexity"}, "has format 9"),
        ([], "is damaged"),
        (None, "has no model.json; expected a folder that `dehusk train` wrote"),
    ],
)
def test_other_folders_are_errors(dehusk: Run, content: object, problem: str) -> None:
    Path("mine").mkdir()
    if content is not None:
        Path("mine/model.json").write_text(json.dumps(content))
    ended = dehusk("extract", "--method", "mine", "-")
    assert ended.status == 2
    assert problem in ended.err


def test_a_folder_of_two_models_names_them(tmp_path: Path) -> None:
    for name in ("boilernet", "boilernet-small"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.json").touch()
    with pytest.raises(ModelError, match="name one of them: boilernet, boilernet-small"):
        folder_method(tmp_path)


@pytest.mark.parametrize("name", ["", "nowhere", "a\0b", "x" * 5000])
def test_no_folder_and_no_name_is_an_error(name: str) -> None:
    with pytest.raises(ModelError, match="no method is called"):
        method(name)


@pytest.mark.data
def test_the_authors_nets_by_their_folder(dehusk: Run) -> None:
    folder = Path(os.environ["DEHUSK_DATA"]).resolve() / "data" / "texrex"
    Path("page.html").write_text(PAGE)
    assert dehusk("extract", "--method", str(folder), "page.html").status == 0
    assert method(folder).name == "texrex-fann"
