"""Plain HTTP from the driver, with nothing followed and nothing raised for a status."""
import base64
import http.client
import json
import urllib.parse


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def location_query(self):
        target = urllib.parse.urlsplit(self.headers.get("Location") or "")
        return dict(urllib.parse.parse_qsl(target.query))

    def __str__(self):
        return f"{self.status} {self.body[:300].decode(errors='replace')}"


def send(method, url, headers=None, body=None):
    target = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(target.hostname, target.port, timeout=150)
    path = target.path + ("?" + target.query if target.query else "")
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def get(url, token=None):
    return send("GET", url, {"Authorization": f"Bearer {token}"} if token else {})


def post(url, basic=None, headers=None, **form):
    """A form; `basic` is a client's id and secret."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
    if basic:
        headers["Authorization"] = "Basic " + base64.b64encode(":".join(basic).encode()).decode()
    return send("POST", url, headers, urllib.parse.urlencode(form))


def discover(issuer):
    return get(issuer + "/.well-known/openid-configuration").json
