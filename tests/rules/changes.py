"""The small mistakes that :mod:`tests.rules.mutants` puts into a module."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

_OPERATORS: Final[Mapping[type[ast.AST], Callable[[], Any]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Change:
    """The ``way``-th change of the ``place``-th node of a module, in ``words``, at ``line``."""

    place: int
    way: int
    line: int
    words: str

    def apply(self, source: str) -> ast.Module:
        """The module with this change in it."""
        tree = ast.parse(source)
        node = _changeable(tree)[self.place]
        _ways(node)[self.way][1]()
        return ast.fix_missing_locations(tree)


def changes_of(source: str) -> list[Change]:
    """Every change of a module, in its order."""
    nodes = _changeable(ast.parse(source))
    return [
        Change(place, way, node.lineno, words)
        for place, node in enumerate(nodes)
        for way, (words, _) in enumerate(_ways(node))
    ]


_Node = ast.expr | ast.stmt
_Way = tuple[str, Callable[[], None]]
"""(what changes, how to change it)"""


def _changeable(tree: ast.Module) -> list[_Node]:
    """The expressions and statements that run, without what only says that something cannot happen."""
    return [node for node in _running(tree) if isinstance(node, (ast.expr, ast.stmt))]


def _running(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _only_says(child):
                yield from _running(child)


def _only_says(node: ast.AST) -> bool:
    """Docstrings, asserts, raised AssertionErrors and what only type checkers read."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Raise):
        return isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) == "AssertionError"
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )


def _ways(node: _Node) -> list[_Way]:
    """The changes of this one node, each by a function that makes it."""
    if isinstance(node, ast.Compare):
        return _other_operators(node, node.ops)
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        return _other_operator(node)
    if isinstance(node, ast.UnaryOp):
        return [(f"{ast.unparse(node)} without its sign", lambda: _become(node, node.operand))]
    if isinstance(node, ast.Constant):
        return _other_constant(node)
    if isinstance(node, (ast.Return, ast.Assign)):
        return _without_value(node)
    if isinstance(node, ast.IfExp):
        return [
            (f"always {ast.unparse(node.body)}", lambda: setattr(node, "test", ast.Constant(True))),
        ]
    if isinstance(node, (ast.Break, ast.Continue)):
        other = ast.Continue if isinstance(node, ast.Break) else ast.Break
        return [(f"{other.__name__.lower()} instead", lambda: _turn_into(node, other))]
    return []


def _turn_into(node: ast.AST, kind: type[ast.AST]) -> None:
    node.__class__ = kind


def _become(node: ast.AST, other: ast.AST) -> None:
    """Make a node in the tree the same as ``other``."""
    other = copy.deepcopy(other)
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _other_operators(node: ast.Compare, operators: list[ast.cmpop]) -> list[_Way]:
    def changed(place: int) -> Callable[[], None]:
        return lambda: operators.__setitem__(place, _OPERATORS[type(operators[place])]())

    return [
        (f"{type(_OPERATORS[type(operator)]()).__name__} in {ast.unparse(node)}", changed(place))
        for place, operator in enumerate(operators)
    ]


def _other_operator(node: ast.BinOp | ast.BoolOp | ast.AugAssign) -> list[_Way]:
    other = _OPERATORS.get(type(node.op))
    if other is None:
        return []
    return [(f"{type(other()).__name__} in {ast.unparse(node)}", lambda: setattr(node, "op", other()))]


def _other_constant(node: ast.Constant) -> list[_Way]:
    value = node.value
    if isinstance(value, bool):
        other: object = not value
    elif isinstance(value, (int, float)):
        other = value + 1
    elif isinstance(value, str) and value:
        other = f"XX{value}"
    else:
        return []
    return [(f"{other!r} for {value!r}", lambda: setattr(node, "value", other))]


def _without_value(node: ast.Return | ast.Assign) -> list[_Way]:
    value = node.value
    # Of a constant another one is tried.
    if value is None or isinstance(value, ast.Constant):
        return []
    return [(f"None in {ast.unparse(node)}", lambda: setattr(node, "value", ast.Constant(None)))]
