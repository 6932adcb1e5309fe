"""An expired token is refreshed, once for all processes"""
import time

from browser import Browser
from stage import Server


def play(stage, facts):
    notes = Server(stage, "fastmcp", "fastmcp_server.py")
    notes.last(2)
    stage.login(notes)
    first = stage.token().out.strip()
    time.sleep(3.5)
    # Shown the expired token, fastmcp would revoke the refresh token that was issued with it.
    notes.last(600)
    running = [stage.authctl.start("token", "--storage", "file", "--profile", "notes") for _ in range(20)]
    results = [process.finish(120) for process in running]
    tokens = {result.out.strip() for result in results}
    facts.equal("twenty processes get a token", [result.code for result in results], [0] * 20)
    facts.check("all the same one, which is another than before", len(tokens) == 1 and first not in tokens, len(tokens))
    facts.check("the server takes it, and the expired one no longer",
                notes.accepts(min(tokens)) and first and not notes.accepts(first), notes.requests[-2:])
    refreshes = notes.grants("refresh_token")
    facts.equal("one refresh reaches the server", len(refreshes), 1)
    facts.equal("it names the resource and the client, and no scope",
                [(entry["form"].get("resource"), bool(entry["form"].get("client_id") or entry["authorization"]),
                  entry["form"].get("scope")) for entry in refreshes], [(notes.resource, True, None)])

    notes.last(2)
    stage.token("--min-ttl", "1000")
    time.sleep(3.5)
    notes.last(600)
    opened = stage.request(notes.resource)
    facts.equal("a request with an expired token is sent with a refreshed one",
                (opened.code, notes.requests[-1]["status"]), (0, 200))

    other = Server(stage, "parallel", "fastmcp_server.py")
    both = [stage.start_login(other, profile="parallel") for _ in range(2)]
    for login in both:
        page = login.wait_for("authorization_url", 60)
        if page:
            Browser().sign_in(page["url"])
    ended = [login.finish(120) for login in both]
    facts.equal("two logins of one profile at once register once", other.registrations(), 1)
    facts.check("at least one of them signs in, and the other says why not",
                any(result.code == 0 for result in ended)
                and all(result.code == 0 or result.tells_one_line for result in ended), [str(result) for result in ended])
    facts.check("the profile's token is one that the server takes",
                other.accepts(stage.token(profile="parallel").out.strip()), stage.token(profile="parallel").code)
