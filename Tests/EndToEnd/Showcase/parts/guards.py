"""Requests that do not come from the showcase's own pages: refused, and nothing changes."""
import http.client
import re
import urllib.parse


class Visitor:
    """A browser without a screen: its cookie, and a form of the page."""

    def __init__(self, showcase):
        self.port = showcase.port
        status, headers, body = self.ask("GET", "/")
        self.cookie = headers["Set-Cookie"].split(";")[0]
        self.headers = headers
        self.read(body)

    def read(self, body):
        self.token = re.search(r'name="token" value="([^"]*)"', body)[1]
        self.form = re.search(r'name="form" value="([^"]*)"', body)[1]

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=150)
        sent = {"Host": f"localhost:{self.port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if getattr(self, "cookie", None) and "Cookie" not in sent:
            sent["Cookie"] = self.cookie
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        result = answer.status, answer.headers, answer.read().decode(errors="replace")
        connection.close()
        return result

    def post(self, intent="line:openid", token=None, form=None, **headers):
        fields = {
            "token": self.token if token is None else token, "form": self.form if form is None else form, "page": "/",
            "intent": intent}
        sent = {
            "Content_Type": "application/x-www-form-urlencoded", "Origin": f"http://localhost:{self.port}",
            "Sec_Fetch_Site": "same-origin", **headers}
        return self.ask("POST", "/do", urllib.parse.urlencode(fields), **sent)[0]

    @property
    def line(self):
        body = self.ask("GET", "/")[2]
        return re.search(r'value="line:([a-z]+)"[^>]*aria-pressed="true"', body)[1]


def forged(world, page, facts):
    visitor, other = Visitor(world.showcase), Visitor(world.showcase)
    port = visitor.port
    for name, status, result in (
        ("another host (DNS rebinding)", 421, visitor.ask("GET", "/", Host=f"evil.example:{port}")[0]),
        ("the number in place of the name", 421, visitor.ask("GET", "/", Host=f"127.0.0.1:{port}")[0]),
        ("a form of another port", 403, visitor.post(Origin="http://localhost:1")),
        ("a form of another site", 403, visitor.post(Origin="https://evil.example")),
        ("a form without an origin", 403, visitor.post(Origin="null")),
        ("a form that the browser calls cross-site", 403, visitor.post(Sec_Fetch_Site="cross-site")),
        ("a form that the browser calls same-site", 403, visitor.post(Sec_Fetch_Site="same-site")),
        ("a form with another token", 403, visitor.post(token="A" * len(visitor.token))),
        ("a form without a token", 403, visitor.post(token="")),
        ("a form of another session", 403, visitor.post(token=other.token)),
        ("a form without a cookie", 403, visitor.post(Cookie="x=y")),
        ("a form that is JSON", 400, visitor.post(Content_Type="application/json")),
        ("another method", 405, visitor.ask("DELETE", "/")[0]),
        ("a stream of events without a session", 403, visitor.ask("GET", "/events?page=/", Cookie="x=y")[0]),
        ("a page that there is not", 404, visitor.ask("GET", "/etc/passwd")[0]),
    ):
        facts.equal(f"{name} is refused with {status}", result, status)
    facts.equal("none of them changed anything", visitor.line, "api")
    facts.equal("the form of its page is accepted", visitor.post(), 303)
    facts.equal("and does what it says", visitor.line, "openid")
    facts.equal("sent again it is answered", visitor.post(intent="line:supabase"), 303)
    facts.equal("and does nothing", visitor.line, "openid")
    visitor.read(visitor.ask("GET", "/")[2])
    visitor.post(intent="line:api")


def sealed(world, page, facts):
    visitor = Visitor(world.showcase)
    policy = visitor.headers["Content-Security-Policy"]
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        facts.check(f"pages carry {part}", part in policy, policy)
    facts.check("nothing inline is allowed", "unsafe" not in policy)
    facts.equal("pages are kept nowhere", visitor.headers["Cache-Control"], "no-store")
    cookie = Visitor(world.showcase).cookie
    facts.check("each browser gets a separate session", cookie != visitor.cookie)


PARTS = (("forged requests", forged), ("what a page may do", sealed))
