"""An API on a separate origin, which asks the provider about every token it is shown."""
import http.server
import json
import threading


class ResourceServer:
    """`accepts(token)`: what the provider says of a token, None where it is no good."""

    def __init__(self, accepts):
        seen = self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
                about = accepts(token) if scheme.lower() == "bearer" and token else None
                seen.append((self.command, self.path, 200 if about else 401))
                body = json.dumps({"notes": ["one"], "about": about} if about else {"error": "invalid_token"}).encode()
                self.send_response_only(200 if about else 401)
                if not about:
                    self.send_header("WWW-Authenticate", 'Bearer realm="notes", error="invalid_token"')
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()
