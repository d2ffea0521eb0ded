"""Defaults of options from a file: dehusk.toml, or [tool.dehusk] in pyproject.toml, here or in a folder above.

A key is an option without its dashes. At the top it is for every command that has the option; in a table named after a
command, such as [extract] or [train.kernel], for that command. The command line has the last word.
"""

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from dehusk.cli.usage import sentence
from dehusk.errors import ConfigError

FILE: Final = "dehusk.toml"
PROJECT_FILE: Final = "pyproject.toml"

Table = dict[str, Any]
Names = tuple[str, ...]  # of a command: ("extract",) or ("train", "kernel")


class Defaults:
    """The nearest file with settings, and what it says."""

    def __init__(self) -> None:
        self.path: Path | None = None

    def read(self, context: click.Context) -> Table:
        """Return the defaults for each command by its parameters, as the parser takes them."""
        self.path, table = _find()
        defaults: Table = {}
        if not table:
            return defaults
        assert isinstance(context.command, click.Group)
        commands = dict(_commands(context.command, context))
        for scope, key, value in self._settings(table, commands):
            for names, parameter, fitting in self._takers(commands, scope, key, value):
                node: Table = defaults
                for name in names:
                    node = node.setdefault(name, {})
                node[parameter.name] = fitting
                _allow_unset(parameter, fitting)
        return defaults

    def origin(self, context: click.Context, setting: str) -> str:
        """Return where the value of a command's setting is from, if that is the file; else an empty string."""
        option = _options(context.command).get(setting.replace("_", "-"))
        if option is None or context.get_parameter_source(option.name) is not ParameterSource.DEFAULT_MAP:
            return ""
        return f"{setting}: set in {self.shown}"

    @property
    def shown(self) -> str:
        """The path of the file as the user would write it."""
        return "" if self.path is None else self.path.name if self.path.parent == Path.cwd() else str(self.path)

    def _settings(
        self, table: Table, commands: dict[Names, click.Command], scope: Names = ()
    ) -> Iterator[tuple[Names, str, Any]]:
        """Yield each setting with the command or group it is for, the general ones first."""
        below = {names: command for names, command in commands.items() if names[: len(scope)] == scope}
        known = {names[len(scope)] for names in below if len(names) > len(scope)}
        inside = {}
        for key, value in table.items():
            if key in known or isinstance(value, dict):
                inside[key] = value
            else:
                yield scope, key, value
        for name, value in inside.items():
            where = ".".join((*scope, name))
            if name not in known and any(name in _options(command) for command in below.values()):
                raise self._error(f"{where} is an option: expected a value or a list of values, got a table", name)
            if name not in known:
                raise self._error(f"no command is called {where!r}{_like(name, known)}")
            if not isinstance(value, dict):
                raise self._error(f"{where} is a command: expected a table [{where}], got {value!r}")
            yield from self._settings(value, commands, (*scope, name))

    def _takers(
        self, commands: dict[Names, click.Command], scope: Names, key: str, value: Any
    ) -> list[tuple[Names, click.Option, Any]]:
        """Return the commands that take a setting, with their parameter and the value in the form that it expects.

        A value may fit some commands and not others: markdown is a format of pages, not of perplexities.
        """
        inside = {names: _options(command) for names, command in commands.items() if names[: len(scope)] == scope}
        takers, error = [], None
        for names, options in inside.items():
            if parameter := options.get(key.replace("_", "-")):
                try:
                    takers.append((names, parameter, self._fitting(commands[names], parameter, key, value)))
                except ConfigError as misfit:
                    error = misfit
        if not takers:
            of = f" of {' '.join(scope)}" if scope else ""
            known = {name for options in inside.values() for name in options}
            raise error or self._error(f"no option{of} is called {key!r}{_like(key, known)}", key)
        return takers

    def _fitting(self, command: click.Command, parameter: click.Option, key: str, value: Any) -> Any:
        if bool(parameter.is_flag) != isinstance(value, bool):
            expected = "true or false" if parameter.is_flag else f"a value as for {max(parameter.opts, key=len)}"
            given = str(value).lower() if isinstance(value, bool) else repr(value)
            raise self._error(f"{key}: expected {expected}, got {given}", key)
        value = [value] if parameter.multiple and not isinstance(value, list) else value
        try:
            parameter.process_value(click.Context(command), value)
        except click.BadParameter as error:
            raise self._error(f"{key}: {sentence(error)}", key) from error
        return value

    def _error(self, message: str, setting: str | None = None) -> ConfigError:
        return ConfigError(f"{message} (in {self.shown})", setting=setting)


def _find() -> tuple[Path | None, Table]:
    """Return the nearest file with settings, and these."""
    try:
        here = Path.cwd()
    except OSError:  # the folder was deleted
        return None, {}
    for folder in (here, *here.parents):
        if (path := folder / FILE).is_file():
            return path, _load(path)
        # Nearly every project has this file, few mention dehusk in it.
        if (path := folder / PROJECT_FILE).is_file() and b"dehusk" in path.read_bytes():
            table = _load(path).get("tool", {}).get("dehusk")
            if isinstance(table, dict):
                return path, table
    return None, {}


def _load(path: Path) -> Table:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}; correct it") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _commands(group: click.Group, context: click.Context, above: Names = ()) -> Iterator[tuple[Names, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, context, (*above, name))
        if command and getattr(command, "invoke_without_command", True):
            yield (*above, name), command


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the parameters of a command by each name of their options, without dashes."""
    options = (parameter for parameter in command.params if isinstance(parameter, click.Option))
    return {name.removeprefix("--"): option for option in options for name in option.opts if name.startswith("--")}


def _allow_unset(parameter: click.Option, value: Any) -> None:
    """Give a flag that the file sets an opposite, --no-links for --links: the command line has the last word."""
    if value is True:
        parameter.default = True  # which is what the help shows
        name = max(parameter.opts, key=len).removeprefix("--")
        parameter.secondary_opts = [f"--{name.removeprefix('no-')}" if name.startswith("no-") else f"--no-{name}"]


def _like(name: str, known: Collection[str]) -> str:
    if not known:
        return "; it has none"
    close = get_close_matches(name.replace("_", "-"), sorted(known))
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(sorted(known))}"
