"""What ``rules`` offers to the outside."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import rules

FOLDER = Path(rules.__file__).parent


def kind_then_name(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions: the order that the linter keeps."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert list(rules.__all__) == sorted(rules.__all__, key=kind_then_name)
    assert len(set(rules.__all__)) == len(rules.__all__)
    assert all(hasattr(rules, name) for name in rules.__all__)


def test_nothing_public_is_left_out() -> None:
    tree = ast.parse((FOLDER / "__init__.py").read_text(encoding="utf-8"))
    imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert imported == set(rules.__all__)


def test_every_public_class_and_function_says_what_it_is() -> None:
    for name in rules.__all__:
        member = getattr(rules, name)
        if isinstance(member, type) or callable(member):
            assert (member.__doc__ or "").strip(), name


def test_every_file_is_in_the_readme() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("*.py"):
        assert path.name == "__init__.py" or f"`{path.name}`" in readme, path.name


def test_the_example_in_the_readme_is_what_comes_out() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    given, told = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", readme, re.DOTALL))
    deal = rules.deal_from_document(given)
    document = rules.result_to_document(deal.result(), deal)
    assert {key: document[key] for key in told} == told


def test_the_line_and_the_reglement_in_the_readme_can_be_read() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"```text\n(.*?)\n```", readme, re.DOTALL)
    assert rules.format_deal(rules.parse_deal(line)) == line
    (toml,) = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    own = rules.reglement_from_toml(toml)
    assert (own.name, own.roem_counts) == ("de-hoop", rules.RoemCounts.CALLED)
