"""Commands from typed functions: every parameter is an option or an argument, described beside its type.

Options that commands share are the fields of a dataclass, which each of them takes as one parameter.

typer does the same, but adds a fifth of a second to every start, most of it for pydantic; click alone takes a tenth of
that.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin

import click

from dehusk.cli.defaults import Defaults
from dehusk.errors import DehuskError

STATUS: Final = "Exit status:"  # begins the last paragraph of a docstring
CONTEXT_SETTINGS: Final = {"max_content_width": 110, "help_option_names": ["-h", "--help"]}


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

    def __init__(self, metavar: str, complete: Callable[[], Iterable[str]] | None = None) -> None:
        self.metavar, self.complete = metavar, complete


class Number(click.ParamType[float]):
    """A number, or a whole one, within a range; its messages describe the range in words.

    >>> Number(int, 1).convert("0", None, None)
    Traceback (most recent call last):
    click.exceptions.BadParameter: 0 is not at least 1
    """

    name = "number"

    def __init__(self, kind: type[int] | type[float], least: float | None = None, most: float | None = None) -> None:
        self._kind, self._least, self._most = kind, least, most
        both = f"between {least} and {most}"
        self.range = "" if least is most is None else f"at least {least}" if most is None else both

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number that a string stands for."""
        try:
            number = self._kind(str(value))  # a string, so that 2.5 in a file is no whole number either
        except ValueError:
            self.fail(f"{value!r} is not a {'whole ' * (self._kind is int)}number", param, ctx)
        if (self._least is not None and number < self._least) or (self._most is not None and number > self._most):
            self.fail(f"{number} is not {self.range}", param, ctx)
        return number


class Command(click.Command):
    """A command whose errors say of which command they are, and which file set the option that they are about."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = ctx  # which click leaves out
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function."""
        try:
            return super().invoke(ctx)
        except DehuskError as error:
            if isinstance(ctx.obj, Defaults) and error.setting and (origin := ctx.obj.origin(ctx, error.setting)):
                error.add_note(origin)
            raise


def command(function: Callable[..., None], name: str | None = None) -> Command:
    """Return a command that calls the function; its docstring is the help.

    >>> from typing import Annotated
    >>> def greet(name: Annotated[str, Option("--name", help="Whom to greet")] = "world") -> None:
    ...     print(f"Hello {name}")
    >>> command(greet).main(["--name", "reader"], standalone_mode=False)
    Hello reader
    """
    # Not `typing.get_type_hints`, which would look at everything again: our annotations are types, never strings.
    groups: dict[str, tuple[type, list[str]]] = {}
    parameters: list[click.Parameter] = []
    for parameter in inspect.signature(function).parameters.values():
        if isinstance(group := parameter.annotation, type) and is_dataclass(group):
            fields = inspect.signature(group).parameters.values()
            groups[parameter.name] = group, [field.name for field in fields]
            parameters += map(_parameter, fields)
        else:
            parameters.append(_parameter(parameter))

    def call(**values: object) -> None:
        grouped = {key: group(**{name: values.pop(name) for name in names}) for key, (group, names) in groups.items()}
        function(**values, **grouped)

    help_text, status, meaning = inspect.cleandoc(function.__doc__ or "").partition(STATUS)
    first_sentence = help_text.partition("\n\n")[0].partition(". ")[0].partition("; ")[0].rstrip(".")
    return Command(
        name or function.__name__,
        callback=call,
        params=parameters,
        help=help_text,
        short_help=first_sentence.replace("\n", " "),
        epilog=status + meaning,  # after the options
        context_settings=CONTEXT_SETTINGS,
    )


def run(function: Callable[..., None]) -> None:
    """Run a function as a program of one command."""
    command(function)()


class CommandGroup(click.Group):
    """Commands by name, each made when it is first used, so that nothing is imported for the others.

    A command is given by its function, such as "extract:extract" for dehusk.cli.extract, or as a group; one that has
    commands of its own besides, by its function and theirs.
    """

    def __init__(
        self, name: str, makers: "Mapping[str, str | CommandGroup | tuple[str, dict[str, str]]]", **settings: Any
    ) -> None:
        super().__init__(name, context_settings=CONTEXT_SETTINGS, **{"no_args_is_help": True, **settings})
        self._makers = makers

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return list(self._makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is no such command."""
        if cmd_name not in self.commands and (maker := self._makers.get(cmd_name)):
            if isinstance(maker, CommandGroup):
                self.add_command(maker)
            elif isinstance(maker, tuple):
                self.add_command(CommandWithCommands(_load_command(maker[0], cmd_name), maker[1]))
            else:
                self.add_command(_load_command(maker, cmd_name))
        return self.commands.get(cmd_name)


class CommandWithCommands(CommandGroup):
    """A command that is also a group: if its first argument names one of its commands, that one runs instead."""

    # As for other commands: options may follow the arguments.
    allow_interspersed_args = True
    allow_extra_args = False

    def __init__(self, own: Command, makers: dict[str, str]) -> None:
        assert own.name
        super().__init__(
            own.name, makers, params=own.params, help=own.help, short_help=own.short_help, epilog=own.epilog,
            invoke_without_command=True, no_args_is_help=False,
        )  # fmt: skip
        self._own = own

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the parts of the usage line."""
        return [*self._own.collect_usage_pieces(ctx), "| COMMAND ..."]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options and arguments; none for the context of an inner command, which would be named by them."""
        return super().get_params(ctx) if ctx.command is self else []

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, or leave them to the command that they name."""
        if args and args[0] in self._makers:
            ctx.invoked_subcommand, ctx.args = args[0], args
            return args
        return self._own.parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named, or this one."""
        if ctx.invoked_subcommand is None:
            return self._own.invoke(ctx)
        name, inner, args = self.resolve_command(ctx, ctx.args)
        assert inner
        with inner.make_context(name, args, parent=ctx) as context:
            return inner.invoke(context)


def _load_command(maker: str, name: str) -> Command:
    module, _, function = maker.partition(":")
    return command(getattr(import_module(f"{__package__}.{module}"), function), name)


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
    assert isinstance(described, Argument | Option)
    if complete := described.complete:
        settings["shell_complete"] = lambda _context, _option, begin: [
            value for value in complete() if value.startswith(begin)
        ]
    if isinstance(described, Argument):
        metavar = described.metavar if "required" in settings else f"[{described.metavar}]"
        settings |= {"nargs": -1, "metavar": f"{metavar}..."} if several else {"metavar": metavar}
        return click.Argument([parameter.name], type=_type(kind), **settings)
    settings |= {"multiple": several, "show_default": True, "is_flag": kind is bool, **described.settings}
    names = described.names or [f"--{parameter.name.replace('_', '-')}"]
    option_type = _type(kind, described.min, described.max)
    if isinstance(option_type, Number) and option_type.range:
        settings["help"] += f"  [{option_type.range}]"
    return click.Option([parameter.name, *names], type=option_type, **settings)


def _type(kind: Any, least: float | None = None, most: float | None = None) -> click.ParamType[Any] | type | None:
    if kind in (int, float):
        return Number(kind, least, most)
    if kind is bool:
        return None
    if issubclass(kind, Enum):
        return click.Choice(list(kind))
    if issubclass(kind, Path):
        return click.Path(path_type=Path)
    return kind  # type: ignore[no-any-return]


def _as_list(_context: click.Context, _parameter: click.Parameter, values: tuple[object, ...]) -> list[object] | None:
    return list(values) or None
