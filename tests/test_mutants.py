"""The mutants of `make mutants` still apply to the source, and the program that runs them tells which are noticed."""

from pathlib import Path

import pytest

from benchmarks.mutants import ROOT, Mutant, mutants, outcomes

SOURCE = ROOT / "src" / "dehusk"


def test_every_mutant_applies_exactly_once_and_has_tests() -> None:
    every = mutants()
    assert len(every) >= 60
    assert len(set(every)) == len(every)
    for mutant in every:
        source = (SOURCE / mutant.module).read_text(encoding="utf-8")
        compile(mutant.applied(source), mutant.module, "exec")
        assert all((ROOT / test.partition("::")[0]).exists() for test in mutant.tests), mutant
        # Python would import the compiled file, without the fault.
        assert not Path(mutant.module).name.startswith("fast_"), mutant


def test_a_mutant_that_no_longer_applies_is_an_error() -> None:
    for source in ("x = 2", "x = 1; x = 1"):
        with pytest.raises(ValueError, match="the mutant no longer applies"):
            Mutant("a.py", "x = 1", "x = 0", ()).applied(source)


@pytest.mark.slow
def test_tests_notice_mutants_and_let_harmless_ones_survive() -> None:
    tests = ("tests/test_whole_words.py",)
    noticed = [mutant for mutant in mutants() if mutant.module == "whole_words.py"][:3]
    harmless = Mutant(
        "whole_words.py", "mask = np.zeros(len(text), np.bool_)", "mask = np.zeros(len(text), bool)", tests
    )
    before = (SOURCE / "whole_words.py").read_bytes()
    found = {outcome.mutant: outcome.end for outcome in outcomes([*noticed, harmless])}
    assert found == {**dict.fromkeys(noticed, "killed"), harmless: "survived"}
    assert (SOURCE / "whole_words.py").read_bytes() == before


@pytest.mark.slow
def test_mutants_are_not_tried_if_their_tests_fail_anyway(tmp_path: Path) -> None:
    test = tmp_path / "test_failing.py"
    test.write_text("def test_failing():\n    assert False\n")
    with pytest.raises(RuntimeError, match="the tests fail without a mutant, too"):
        next(outcomes([Mutant("errors.py", "self.setting = setting", "self.setting = None", (str(test),))]))
