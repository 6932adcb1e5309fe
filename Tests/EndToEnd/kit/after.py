"""What is asked again and again after a command."""
import time
from datetime import datetime

from kit.client import PlainClient
from kit.waiting import until


def refused(facts, text, result, *codes):
    """A failure by the book: the exit code, one line for users, an event where JSON was asked for."""
    held = result.code in codes and result.tells_one_line
    if "--json" in result.arguments:
        event = result.event("error")
        held = held and event is not None and bool(event.get("code")) and bool(event.get("message"))
    return facts.check(f"{text}: exit {' or '.join(map(str, codes))}, and one line that says why", held, result)


def nothing_kept(facts, authctl):
    status = authctl.run("status", "--json")
    return facts.check("nothing was kept", status.code == 3 and status.object.get("state") == "signed_out", status)


def worked(facts, text, result):
    return facts.check(text, result.code == 0, result)


def token(authctl, *more):
    """The access token, or None."""
    result = authctl.run("token", *more)
    return result.out.strip() if result.code == 0 else None


def expires_at(authctl):
    """The moment, from the status, which sends no request."""
    moment = authctl.run("status", "--json").object.get("expires_at")
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() if moment else None


def until_left(authctl, seconds, timeout=90):
    """Waits until the stored token has less than that many seconds left, whole seconds being what is told."""
    moment = expires_at(authctl)
    if moment is None:
        raise RuntimeError(f"no expires_at in {authctl.run('status', '--json')}")
    until(lambda: moment + 1 - time.time() < seconds, "the token grows old", timeout, 0.1)


def is_revoked(party, refresh_token):
    """Whether the issuer refuses a refresh token. A valid one is used up by the request."""
    return PlainClient(party).refresh(refresh_token).status in (400, 401, 403)
