"""A reverse proxy in front of a server: the address the world knows, and a record of every exchange.

It changes nothing in transit. Closed, it refuses connections like a server that is down."""
import http.client
import http.server
import json
import threading
import time
import urllib.parse

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Exchange:
    def __init__(self, method, target, headers, body):
        self.at = time.time()
        self.method = method
        self.target = target
        self.path = urllib.parse.urlsplit(target).path
        self.headers = headers
        self.body = body
        self.status = None
        self.answer_headers = {}
        self.answer = b""

    @property
    def form(self):
        return dict(urllib.parse.parse_qsl(self.body.decode(errors="replace")))

    @property
    def json(self):
        try:
            return json.loads(self.answer)
        except ValueError:
            return None

    def __str__(self):
        answer = self.answer[:300].decode(errors="replace")
        return f"{self.method} {self.target} {self.body[:300].decode(errors='replace')} -> {self.status} {answer}"


class Witness:
    def __init__(self, upstream_port, host="127.0.0.1", log=None):
        self.upstream_port = upstream_port
        self.exchanges = []
        self.log = log
        self.server = None
        self.port = 0
        self.open()
        self.base = f"http://{host}:{self.port}"

    def open(self):
        if self.server is None:
            self.server = Listener(("127.0.0.1", self.port), Handler)
            self.server.witness = self
            self.port = self.server.server_address[1]
            threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def mark(self):
        """A moment, for `since`."""
        return len(self.exchanges)

    def since(self, mark, path=None, **form):
        """What was exchanged after a moment: by the end of the path, and by form fields."""
        return [
            exchange for exchange in self.exchanges[mark:]
            if (path is None or exchange.path.rstrip("/").endswith(path))
            and all(exchange.form.get(name) == value for name, value in form.items())
        ]

    def refreshes(self, mark=0):
        return self.since(mark, "/token", grant_type="refresh_token")

    def last_refresh_token(self):
        for exchange in reversed(self.exchanges):
            if exchange.path.rstrip("/").endswith("/token") and exchange.status == 200:
                token = (exchange.json or {}).get("refresh_token")
                if token:
                    return token
        return None

    def forward(self, exchange):
        connection = http.client.HTTPConnection("127.0.0.1", self.upstream_port, timeout=150)
        try:
            connection.putrequest(exchange.method, exchange.target, skip_host=True, skip_accept_encoding=True)
            for name, value in exchange.headers:
                if name.lower() not in HOP_BY_HOP:
                    connection.putheader(name, value)
            connection.putheader("Connection", "close")
            if exchange.body or exchange.method in ("POST", "PUT"):
                connection.putheader("Content-Length", str(len(exchange.body)))
            connection.endheaders(exchange.body)
            answer = connection.getresponse()
            exchange.answer = answer.read()
            exchange.status = answer.status
            exchange.answer_headers = answer.getheaders()
        finally:
            connection.close()
        if self.log:
            with open(self.log, "a") as log:
                log.write(f"{exchange.at:.3f} {exchange}\n")


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass  # a browser that went away


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        exchange = Exchange(self.command, self.path, self.headers.items(), body)
        witness = self.server.witness
        witness.exchanges.append(exchange)
        try:
            witness.forward(exchange)
        except OSError:
            self.close_connection = True
            return
        self.send_response_only(exchange.status)
        for name, value in exchange.answer_headers:
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(exchange.answer)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(exchange.answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = answer

    def log_message(self, *arguments):
        pass
