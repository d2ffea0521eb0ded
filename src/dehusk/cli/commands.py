"""Commands from typed functions: every parameter is an option or an argument, described beside its type.

typer does the same, but adds a fifth of a second to every start, most of it for pydantic; click alone takes a tenth of
that.
"""

import inspect
from collections.abc import Callable, Iterable
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin

import click

STATUS: Final = "Exit status:"  # begins the last paragraph of a docstring
SETTINGS: Final = {"max_content_width": 110, "help_option_names": ["-h", "--help"]}


class Option:
    """An option: its names, by default the parameter's, and what click takes to describe it.

    `complete` returns the values that the shell may offer.
    """

    def __init__(
        self,
        *names: str,
        min: float | None = None,
        max: float | None = None,
        complete: Callable[[], Iterable[str]] | None = None,
        **settings: Any,
    ) -> None:
        self.names, self.min, self.max, self.complete, self.settings = names, min, max, complete, settings


class Argument:
    """What is given without a name. Its command describes it, and names it by its `metavar`."""

    def __init__(self, metavar: str) -> None:
        self.metavar = metavar


def command(function: Callable[..., None], name: str | None = None) -> click.Command:
    """Return a command that calls the function; its docstring is the help.

    >>> from typing import Annotated
    >>> def greet(name: Annotated[str, Option("--name", help="Whom to greet")] = "world") -> None:
    ...     print(f"Hello {name}")
    >>> command(greet).main(["--name", "reader"], standalone_mode=False)
    Hello reader
    """
    # Not `typing.get_type_hints`, which would look at everything again: our annotations are types, never strings.
    parameters = [_parameter(each) for each in inspect.signature(function).parameters.values()]
    help_text, status, meaning = inspect.cleandoc(function.__doc__ or "").partition(STATUS)
    return click.Command(
        name or function.__name__,
        callback=function,
        params=parameters,
        help=help_text,
        short_help=_first_sentence(help_text),
        epilog=status + meaning,  # after the options
        context_settings=SETTINGS,
    )


def run(function: Callable[..., None]) -> None:
    """Run a function as a program of one command."""
    command(function)()


class Group(click.Group):
    """Commands by name, each made when it is first used, so that nothing is imported for the others."""

    def __init__(self, name: str, makers: dict[str, "str | Group"], **settings: Any) -> None:
        """Take the function of each command, such as "extract:extract" for dehusk.cli.extract, or a group."""
        super().__init__(name, context_settings=SETTINGS, no_args_is_help=True, **settings)
        self._makers = makers

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return list(self._makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is no such command."""
        if cmd_name not in self.commands and (maker := self._makers.get(cmd_name)):
            if isinstance(maker, str):
                module, _, function = maker.partition(":")
                self.add_command(command(getattr(import_module(f"{__package__}.{module}"), function), cmd_name))
            else:
                self.add_command(maker)
        return self.commands.get(cmd_name)


def _first_sentence(text: str) -> str:
    return text.partition("\n\n")[0].partition(". ")[0].partition("; ")[0].rstrip(".").replace("\n", " ")


def _parameter(parameter: inspect.Parameter) -> click.Parameter:
    annotation, described = get_args(parameter.annotation)
    if isinstance(annotation, UnionType):  # with None: the parameter may be left out
        annotation = next(kind for kind in get_args(annotation) if kind is not NoneType)
    several = get_origin(annotation) is list
    kind = get_args(annotation)[0] if several else annotation
    settings: dict[str, Any] = {"callback": _as_list} if several else {}
    if parameter.default is parameter.empty:
        settings["required"] = True
    else:
        settings["default"] = parameter.default
    if isinstance(described, Argument):
        metavar = described.metavar if "required" in settings else f"[{described.metavar}]"
        settings |= {"nargs": -1, "metavar": f"{metavar}..."} if several else {"metavar": metavar}
        return click.Argument([parameter.name], type=_type(kind), **settings)
    assert isinstance(described, Option)
    settings |= {"multiple": several, "show_default": True, "is_flag": kind is bool, **described.settings}
    if complete := described.complete:
        settings["shell_complete"] = lambda _context, _option, begin: [
            value for value in complete() if value.startswith(begin)
        ]
    names = described.names or [f"--{parameter.name.replace('_', '-')}"]
    return click.Option([parameter.name, *names], type=_type(kind, described.min, described.max), **settings)


def _type(kind: Any, least: float | None = None, most: float | None = None) -> click.ParamType[Any] | type | None:
    if kind is bool:
        return None
    if issubclass(kind, Enum):
        return click.Choice(list(kind))
    if issubclass(kind, Path):
        return click.Path(path_type=Path)
    if least is None and most is None:
        return kind  # type: ignore[no-any-return]
    return (click.IntRange if kind is int else click.FloatRange)(least, most)  # type: ignore[arg-type]


def _as_list(_context: click.Context, _parameter: click.Parameter, values: tuple[object, ...]) -> list[object] | None:
    return list(values) or None
