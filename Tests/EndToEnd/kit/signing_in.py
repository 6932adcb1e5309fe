"""`authctl login` and the browser, each doing its part at the same time."""
from urllib.parse import parse_qs, urlsplit


def arguments(party, *more, secret_folder=None):
    words = ["login", "--issuer", party.issuer, "--client-id", party.client_id, "--scope", party.scope, "--json"]
    if party.secret:
        file = secret_folder / f"{party.client_id}.secret"
        file.write_text(party.secret + "\n")
        file.chmod(0o600)
        words += ["--client-secret-file", str(file)]
    return [*words, *more]


def browser_arguments(party, home, *more):
    words = ["--no-browser", "--timeout", "300", "--storage", "file"]
    if party.redirect_port:
        words += ["--redirect-port", str(party.redirect_port)]
    return arguments(party, *words, *more, secret_folder=home)


def through_browser(authctl, browser, party, act, *more, forget=True):
    """Starts a login, hands its URL, if one comes, to `act(url)`, and returns what came of it."""
    if forget:
        browser.forget()
    running = authctl.start(*browser_arguments(party, authctl.home, *more))
    event = running.wait_for("authorization_url")
    try:
        if event:
            act(event["url"])
    except BaseException:
        running.process.kill()
        raise
    return running.finish(90)


def destination(url):
    """Where an authorization request returns to; where it was pushed, all that is known is the machine."""
    return parse_qs(urlsplit(url).query).get("redirect_uri", ["http://127.0.0.1:"])[0]


def sign_in(authctl, browser, party, user, *more):
    return through_browser(
        authctl, browser, party, lambda url: party.pages.sign_in(browser, url, user, destination(url)), *more)


def with_device(authctl, browser, party, act, *more):
    """The same for a device code: `act(event)`."""
    browser.forget()
    words = ("--flow", "device", "--timeout", "300", "--storage", "file", *more)
    running = authctl.start(*arguments(party, *words, secret_folder=authctl.home))
    event = running.wait_for("device_code")
    try:
        if event:
            act(event)
    except BaseException:
        running.process.kill()
        raise
    return running.finish(90)
