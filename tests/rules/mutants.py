"""Small mistakes put into ``rules`` one at a time: do the tests notice each?

    python -m tests.rules.mutants --sample 400 --seed 1

A mutant is one module with one change: another comparison, sign, number, text, condition or result. Each is
tried in a forked process that imports the changed module in place of the one on disk, and runs the tests of
that module until one fails. Properties and the tables of a module are changed too, which mutmut leaves alone.
Not changed are annotations, docstrings, decorators and what only says that something cannot happen; nor
``solver/accelerated.py``, which numba compiles and which the tests hold to its plain twin.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Annotated, Final

import pytest
import typer

from tests.rules.changes import Change, changes_of

ROOT: Final = Path(__file__).resolve().parents[2]
CPU_SECONDS: Final = 90
"""A mutant that takes longer never ends: noticed. The tests of one module take a tenth of this."""
_NOT_RUN: Final = (
    pytest.ExitCode.INTERNAL_ERROR,
    pytest.ExitCode.USAGE_ERROR,
    pytest.ExitCode.NO_TESTS_COLLECTED,
)
_SMALLER_NUMBERS: Final = {
    "KLAVEROOG_RANDOM_DEALS": "60",
    "KLAVEROOG_FUZZ_INPUTS": "200",
    "KLAVEROOG_SOLVER_ENDINGS": "24",
}
_FIRST: Final = ("test_words",)
"""In half a second most mistakes show here."""
_ALWAYS: Final = ("test_vectors", "test_deal")
_TESTS: Final[Mapping[str, Sequence[str]]] = {
    "actions": ("test_document", "test_notation"),
    "articles": ("test_revokes",),
    "bidding": ("test_notation",),
    "bulk": ("test_bulk",),
    "cards": ("test_notation",),
    "claims": ("test_claims",),
    "conduct": ("test_rulings",),
    "deal": ("test_rulings", "test_revokes", "test_against_naive"),
    "document": ("test_document",),
    "document_nodes": ("test_document",),
    "evening": ("test_match",),
    "faults": ("test_rulings",),
    "fold": ("test_rulings", "test_document", "test_notation"),
    "lines": ("test_claims",),
    "match": ("test_match", "test_notation"),
    "notation": ("test_notation", "test_fuzz"),
    "notation_progress": ("test_notation", "test_fuzz"),
    "notation_tokens": ("test_notation", "test_fuzz"),
    "notation_writer": ("test_notation", "test_fuzz"),
    "penalty_cards": ("test_rulings",),
    "reglement": ("test_reglement", "test_match"),
    "reglement_text": ("test_reglement", "test_fuzz"),
    "reglement_words": ("test_reglement",),
    "result": ("test_scores", "test_rulings", "test_against_naive"),
    "revokes": ("test_revokes", "test_uncertainty", "test_against_naive"),
    "roem": ("test_scores", "test_against_naive"),
    "rulings": ("test_rulings", "test_document"),
    "schedule": ("test_schedule",),
    "solver": ("test_solver", "test_review"),
    "table": ("test_rulings", "test_document"),
    "tables": ("test_against_naive",),
    "trick": ("test_revokes", "test_against_naive"),
    "uncertainty": ("test_uncertainty",),
}


@dataclass(frozen=True)
class Mutant:
    """``change`` made in the module at ``path``, relative to the project."""

    path: Path
    change: Change

    @property
    def module(self) -> str:
        """Its name as it is imported."""
        return ".".join(self.path.with_suffix("").parts)

    @property
    def group(self) -> str:
        """The module or folder of ``rules`` that it belongs to."""
        return self.path.with_suffix("").parts[1]

    def __str__(self) -> str:
        return f"{self.path}:{self.change.line}: {self.change.words}"


def mutants() -> list[Mutant]:
    """Every mutant of ``rules``, always in the same order."""
    paths = sorted(path.relative_to(ROOT) for path in (ROOT / "rules").rglob("*.py"))
    return [
        Mutant(path, change)
        for path in paths
        if path.name not in ("__init__.py", "accelerated.py")
        for change in changes_of((ROOT / path).read_text(encoding="utf-8"))
    ]


def test_files(mutant: Mutant) -> tuple[list[str], list[str]]:
    """The tests that must notice it: the quick ones that touch everything, and those to run after them."""
    names = dict.fromkeys((*_TESTS.get(mutant.group, ()), *_ALWAYS))
    return _files(_FIRST), _files(names)


def _files(names: Iterable[str]) -> list[str]:
    return [str(ROOT / "tests" / "rules" / f"{name}.py") for name in names]


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the changed module in the place of the one on disk."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(ROOT / self._mutant.path))

    def exec_module(self, module: ModuleType) -> None:
        source = (ROOT / self._mutant.path).read_text(encoding="utf-8")
        module.__file__ = str(ROOT / self._mutant.path)
        code = compile(self._mutant.change.apply(source), module.__file__, "exec")
        exec(code, module.__dict__)


def _start(mutant: Mutant) -> int:
    """Try it in a process of its own, which ends with what pytest ends with; its process id."""
    process = os.fork()
    if process:
        return process
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.environ.update(_SMALLER_NUMBERS)
    sys.meta_path.insert(0, _Changed(mutant))
    first, after = test_files(mutant)
    os._exit(_pytest(*first) or _pytest(*after))


def _pytest(*arguments: str) -> int:
    # The plugins are imported already, so that pytest cannot rewrite their assertions; nor need it.
    usual = ("-x", "-q", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-p", "no:cacheprovider")
    return int(pytest.main([*usual, "--rootdir", str(ROOT), *arguments]))


def _import_once() -> None:
    """Import all that the tests need, but the rules and the tests, so that no forked process has to."""
    with redirect_stdout(StringIO()):
        _pytest("--collect-only", str(ROOT / "tests" / "rules"))
    for name in list(sys.modules):
        if name.partition(".")[0] in ("rules", "tests", "tracker"):
            del sys.modules[name]


def _tried(chosen: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Each with whether it was noticed, as they end."""
    waiting, running = list(reversed(chosen)), dict[int, Mutant]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[_start(mutant)] = mutant
        process, status = os.wait()
        if os.waitstatus_to_exitcode(status) in _NOT_RUN:
            raise RuntimeError(f"the tests of {running[process]} could not run")
        yield running.pop(process), status != 0


def _the_tests_pass(groups: Sequence[Mutant]) -> bool:
    """Whether the tests pass with nothing changed; otherwise every mutant would seem noticed."""
    files = sorted({file for mutant in groups for stage in test_files(mutant) for file in stage})
    process = os.fork()
    if not process:
        os.environ.update(_SMALLER_NUMBERS)
        os._exit(_pytest(*files))
    return os.waitpid(process, 0)[1] == 0


def main(
    sample: Annotated[int | None, typer.Option(help="so many by chance, not all")] = None,
    seed: Annotated[int, typer.Option(help="which ones")] = 1,
    jobs: Annotated[int, typer.Option(help="how many at the same time")] = os.cpu_count() or 1,
    only: Annotated[str, typer.Option(help="one module or folder of rules")] = "",
) -> None:
    """Try mutants of ``rules`` and tell which ones no test notices."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    chosen = [mutant for mutant in mutants() if only in ("", mutant.group)]
    everything = len(chosen)
    if sample is not None:
        chosen = random.Random(seed).sample(chosen, min(sample, everything))
    typer.echo(f"{len(chosen)} of {everything} mutants")
    _import_once()
    if not _the_tests_pass(chosen):
        typer.echo("The tests fail with nothing changed. Make them pass first.", err=True)
        raise typer.Exit(1)
    tried: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    for mutant, noticed in _tried(chosen, jobs):
        tried[mutant.group] += 1
        killed[mutant.group] += noticed
        if not noticed:
            typer.echo(f"not noticed: {mutant}")
        if sum(tried.values()) % 50 == 0:
            typer.echo(f"{sum(tried.values())} tried")
    for group in sorted(tried):
        typer.echo(f"{group:20} {killed[group]:4} of {tried[group]:4}")
    total = sum(tried.values())
    typer.echo(f"{'all':20} {sum(killed.values()):4} of {total:4}, {sum(killed.values()) / total:.1%}")


if __name__ == "__main__":
    typer.run(main)
