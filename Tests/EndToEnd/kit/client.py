"""The plainest OpenID client there is, to ask a server what it does without the library between."""
import base64
import hashlib
import http.server
import secrets
import threading
import urllib.parse

from kit import wire
from kit.waiting import until


class Redirects:
    """Listens for what a browser brings back."""

    def __init__(self, port=0):
        arrived = self.arrived = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/callback"):
                    arrived.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"done")

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port or 0), Handler)
        self.uri = f"http://127.0.0.1:{self.server.server_address[1]}/callback"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def next(self):
        path = until(lambda: self.arrived and self.arrived.pop(0), "a redirect")
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


class PlainClient:
    def __init__(self, party):
        self.party = party
        self.discovery = wire.discover(party.issuer)
        self.verifier = secrets.token_urlsafe(48)
        self.state = secrets.token_urlsafe(24)

    def authorization_url(self, redirect_uri):
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return self.discovery["authorization_endpoint"] + "?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": self.party.client_id, "redirect_uri": redirect_uri,
            "scope": self.party.scope, "state": self.state, "nonce": secrets.token_urlsafe(24),
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), "code_challenge_method": "S256",
        })

    def ask(self, endpoint, **form):
        """Posts a form, with the client's id in it or its secret in the header."""
        if self.party.secret:
            return wire.post(self.discovery[endpoint], (self.party.client_id, self.party.secret), **form)
        return wire.post(self.discovery[endpoint], client_id=self.party.client_id, **form)

    def exchange(self, code, redirect_uri):
        return self.ask(
            "token_endpoint", grant_type="authorization_code", code=code, redirect_uri=redirect_uri,
            code_verifier=self.verifier)

    def refresh(self, token):
        return self.ask("token_endpoint", grant_type="refresh_token", refresh_token=token)

    def sign_in(self, browser, user):
        """The code and the tokens, by way of the browser."""
        browser.forget()
        with Redirects(self.party.redirect_port) as redirects:
            self.party.pages.sign_in(browser, self.authorization_url(redirects.uri), user, redirects.uri)
            answer = redirects.next()
            return answer, redirects.uri, self.exchange(answer.get("code", ""), redirects.uri)
