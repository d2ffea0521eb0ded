"""Child processes, and the one protocol by which all of them are talked to.

The children are the workers of `pool`, the copy that `forked` makes, the process that drives a browser
(`rendering.program`) and Node (`evaluation.node`).

- **Streams.** Tasks come on a child's standard input, answers leave on its standard output. A Python child first moves
  both out of reach (`own_streams`): what a method prints goes to standard error, and there is nothing for it to read.
- **Frames.** A message is a mark, a length and a pickle; to and from Node, which reads no pickles, a line of JSON.
  Anything else on the pipe is garbage, and the child is ended.
- **Order.** The first message sets the child up: what to do, and its limits. The answer is None, or the `Reason` why it
  cannot. From then on each task has one answer, in order; a `Reason` is an answer, too, and the child lives on. A child
  ends when its input does.
- **Deaths.** Where no answer comes, `EndedError` says why, and neither the child nor anything that it started is left.
  That the pipe is still open means nothing, since a grandchild may hold it: what counts is whether the child lives.
- **Limits.** A worker has its own clock and memory limit, and is ended by the system; the parent's clock counts only if
  the child is stopped (SIGSTOP), and with it its clock. For browsers and Node, the parent's clock always counts, and
  for browsers the parent also watches the memory of all processes. Windows has no such limits.
- **Environment.** A Python child has its parent's `sys.path`, but no folder of its own on it, and one thread for linear
  algebra. Each child leads a session: Ctrl-C at the terminal reaches the parent alone, which ends the child.
"""

import os
import pickle
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, ClassVar, Final, Self

from dehusk.processes import kill_tree, memory_of_tree
from dehusk.reasons import Code, Reason

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MARK: Final = b"dhsk"
HEADER: Final = struct.Struct(">4sQ")
CHUNK: Final = 2**16  # bytes of an answer of unknown size: more would be mapped and unmapped for each
PIPE_BYTES: Final = 2**20  # most pages fit; with the usual 64 KB both sides wait for each other
POLL: Final = 0.2  # seconds between two looks at a child that says nothing


class EndedError(Exception):
    """A child ended, or had to be ended, in place of an answer."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


def encode(message: object) -> bytes:
    """Return the frame of a message for a Python child.

    >>> frame = encode("a page")
    >>> Child.missing(frame[:-3]), Child.missing(frame), Child.decode(frame)
    (3, 0, 'a page')
    """
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(MARK, len(data)) + data


class Child:
    """A child process and the pipes to it. One thread asks; any may call `signal_end`."""

    has_clock: ClassVar = True  # and ends itself after its seconds
    starts_sessions: ClassVar = False  # as browsers do: its memory, and what is to be ended, is that of a whole tree

    def __init__(self, process: Any, answers: IO[bytes], tasks: IO[bytes] | None = None) -> None:
        """Take a process that leads its session: `pid`, `poll` and `wait`, as `subprocess.Popen` has them."""
        self.pid, self._process, self._answers, self._tasks = process.pid, process, answers, tasks
        self._status: int | None = None  # once it has been waited for
        self._lock = threading.Lock()  # since from then on the number may be that of another process
        for pipe in filter(None, (answers, tasks)):
            if hasattr(fcntl, "F_SETPIPE_SZ"):
                with suppress(OSError):  # the system limits how many a user may have, and smaller ones work too
                    fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        if tasks and sys.platform != "win32":
            os.set_blocking(tasks.fileno(), False)  # so that a child that does not read cannot hold its parent

    @classmethod
    def start(cls, command: Sequence[str], **options: Any) -> Self:
        """Start a program; raise OSError if that fails."""
        import subprocess  # noqa: PLC0415  (a copy of the process needs none of it)

        pipe = subprocess.PIPE
        process = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, start_new_session=True, **options)
        assert process.stdout
        return cls(process, process.stdout, process.stdin)

    @classmethod
    def start_python(cls, module: str, **options: Any) -> Self:
        """Start Python with the `main` of a module, which the child imports with no more than it needs."""
        # -P, since files in the current folder must not be imported as modules.
        path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
        # One thread per child for linear algebra: the cores are already shared between pages.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
        command = [sys.executable, "-P", "-c", f"import {module}; {module}.main()"]
        return cls.start(command, env=environment, **options)

    encode = staticmethod(encode)

    @staticmethod
    def missing(data: bytes | bytearray) -> int:
        """Return how many bytes of a frame are still to be read, at least; raise ValueError for what is none."""
        size = HEADER.size + HEADER.unpack_from(data)[1] if len(data) >= HEADER.size else HEADER.size + 1
        if len(data) > size or not MARK.startswith(data[: len(MARK)]):
            raise ValueError("not a message")
        return size - len(data)

    @staticmethod
    def decode(data: bytes | bytearray) -> Any:
        """Return the message of a frame."""
        return pickle.loads(memoryview(data)[HEADER.size :])

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._status is None and self._state() not in ENDED

    def ask(self, message: object, seconds: float, memory: int = 0) -> Any:
        """Return the answer to a message; raise `EndedError` if there is none, and end the child."""
        # Encoded as a whole before a byte is written: half a message would corrupt the pipe for the next one.
        return self.exchange(self.encode(message), seconds, memory)

    def exchange(self, frame: bytes, seconds: float, memory: int = 0) -> Any:
        """Send a message that is encoded already, or none, and return the answer, as `ask` does."""
        watch = (time.monotonic() + seconds, seconds, memory)
        try:
            self._send(frame, watch)
            return self.decode(self._read(watch))
        except BaseException as error:  # after Ctrl-C, too: it would answer the next task with this one
            status = self.end()
            if isinstance(error, EndedError) or not isinstance(error, Exception):
                raise
            # The end of the pipe, or garbage, of which pickles can raise anything.
            raise EndedError(cause_of_death(status, seconds, memory)) from None

    def _send(self, frame: bytes, watch: "_Watch") -> None:
        rest = memoryview(frame)
        while rest:
            assert self._tasks
            try:
                rest = rest[os.write(self._tasks.fileno(), rest) :]
            except BlockingIOError:
                self._wait_for(self._tasks, "POLLOUT", watch)

    def _read(self, watch: "_Watch") -> bytearray:
        data = bytearray()
        while missing := self.missing(data):
            self._wait_for(self._answers, "POLLIN", watch)
            chunk = os.read(self._answers.fileno(), min(max(missing, CHUNK), PIPE_BYTES))
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def _wait_for(self, pipe: IO[bytes], event: str, watch: "_Watch") -> None:
        """Return when a pipe is ready; look now and then whether the child lives and keeps within its limits."""
        if not hasattr(select, "poll"):  # Windows
            return
        deadline, seconds, memory = watch
        poll = select.poll()
        poll.register(pipe, getattr(select, event))
        while not poll.poll(1000 * POLL):
            state = self._state()
            if state in ENDED and not poll.poll(0):
                raise EOFError
            if time.monotonic() > deadline and (state == STOPPED or not self.has_clock):
                raise EndedError(Reason(Code.TOO_SLOW, limit=seconds))
            if self.starts_sessions and (seen := memory_of_tree(self.pid)) > memory:
                raise EndedError(Reason(Code.OUT_OF_MEMORY, f"more than {memory / 1e9:g} GB", limit=memory, seen=seen))

    def _state(self) -> int | None:
        """Return whether the child has ended or is stopped, as `waitid` has it; it stays to be waited for."""
        if not HAS_WAITID:
            return None if self._process.poll() is None else ENDED[0]
        try:
            info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # in a program that ignores SIGCHLD
            return ENDED[0]
        return info.si_code if info else None

    def signal_end(self) -> None:
        """End the child, but leave it to the thread that asks to notice."""
        with self._lock, suppress(OSError):
            if self._status is None:
                os.kill(self.pid, KILL)

    def close(self, seconds: float) -> None:
        """Let the child end by itself, and end it if it does not within so many seconds."""
        if self._tasks:
            self._tasks.close()
        deadline = time.monotonic() + seconds
        while self.is_alive and time.monotonic() < deadline:
            time.sleep(POLL / 10)
        self.end()

    def end(self) -> int:
        """End the child and all that it has started; return its exit status, its own if it had ended before."""
        with self._lock:
            if self._status is None:
                # Before it is waited for: until then the number of the process, and of its group, is its own.
                if HAS_WAITID or self._process.poll() is None:
                    self._kill()
                self._status = self._process.wait()
                self.close_pipes()
            return self._status

    def close_pipes(self) -> None:
        """Close the pipes to a child that has ended, or that could not start."""
        for pipe in filter(None, (self._answers, self._tasks)):
            pipe.close()

    def _kill(self) -> None:
        if self.starts_sessions:
            kill_tree(self.pid)
        for kill in (os.kill, getattr(os, "killpg", os.kill)):
            with suppress(OSError):
                kill(self.pid, KILL)


_Watch = tuple[float, float, int]  # the deadline, the seconds until it, the bytes of memory
HAS_WAITID: Final = hasattr(os, "waitid")  # not on Windows, nor on macOS before Python 3.13
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
STOPPED: Final = getattr(os, "CLD_STOPPED", 5)
ENDED: Final = tuple(getattr(os, name, 1) for name in ("CLD_EXITED", "CLD_KILLED", "CLD_DUMPED"))


def cause_of_death(status: int, seconds: float, memory: int) -> Reason:
    """Return why a process under these limits ended without an answer.

    >>> str(cause_of_death(-9, 30, 3_000_000_000))
    'its worker died (exit status -9), perhaps over 3 GB of memory'
    """
    if sys.platform != "win32" and status == -signal.SIGALRM:
        return Reason(Code.TOO_SLOW, limit=seconds)
    return Reason(Code.WORKER_DIED, f"{memory / 1e9:g} GB", limit=memory, seen=status)


def own_streams() -> tuple[BinaryIO, int]:
    """Run in a child: return where tasks come from and answers go to, which nothing else can write to or read."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    redirect_streams()
    return tasks, answers


def redirect_streams() -> None:
    """Run in a child: have what is printed go to standard error, and what is read come from nowhere."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with suppress(OSError):  # which is closed
        os.dup2(2, 1)


def read_task(tasks: BinaryIO) -> bytes:
    """Run in a child: return the next message, still pickled; raise EOFError if the parent has closed or ended."""
    header = tasks.read(HEADER.size)
    if len(header) < HEADER.size:
        raise EOFError
    return tasks.read(HEADER.unpack(header)[1])


def send_answer(answers: int, message: object) -> None:
    """Run in a child: send a message."""
    rest = memoryview(encode(message))
    while rest:
        rest = rest[os.write(answers, rest) :]
