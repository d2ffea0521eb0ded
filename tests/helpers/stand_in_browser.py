"""A program in place of the one that drives a browser: it does what a page says."""

import pickle
import time

from dehusk.child import own_streams, read_task, send_answer
from dehusk.reasons import Code, Reason
from dehusk.rendering.tasks import LivePage
from tests.helpers.trouble import answer


def main() -> None:
    """Answer tasks."""
    tasks, answers = own_streams()
    read_task(tasks)
    send_answer(answers, None)
    while True:
        task = pickle.loads(read_task(tasks))
        if task.html == "crash":
            send_answer(answers, Reason(Code.NOT_RENDERED, "the page crashed the browser"))
        elif task.html == "grow":
            data = b"x" * 300_000_000
            time.sleep(len(data))
        else:
            send_answer(answers, LivePage(str(answer(None, task.html)[0])))
