"""The servers of a part and the program that signs in at them."""
import http.server
import json
import re
import ssl
import subprocess
import sys
import threading
import time

from browser import Browser
from kit.authctl import AuthCTL
from kit.processes import Processes
from kit.waiting import free_port

COLOR = re.compile("\x1b\\[[0-9;]*m")
INITIALIZE = json.dumps({
    "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}})


class Server:
    """A server of notes, in a separate process, on a port that it keeps."""

    def __init__(self, stage, name, program, *arguments):
        self.stage, self.name, self.program, self.arguments = stage, name, program, arguments
        self.folder = stage.folder / name
        self.folder.mkdir(parents=True)
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.resource = f"{self.origin}/mcp"
        self.last(600)
        self.start()

    def start(self):
        self.stage.processes.start(
            self.name, [sys.executable, "-B", self.stage.here / "Servers" / self.program, self.folder, str(self.port),
                        *self.arguments], self.port)

    def restart(self):
        """All that it kept in memory is lost."""
        self.stage.processes.stop(self.name)
        self.start()

    def last(self, seconds):
        """The access tokens that are issued from now on are valid for so long."""
        (self.folder / "lifetime").write_text(str(seconds))

    @property
    def requests(self):
        log = self.folder / "requests.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def registrations(self):
        return len([entry for entry in self.requests if entry["path"] == "/register" and entry["status"] == 201])

    def grants(self, kind):
        """The requests at the token endpoint with that grant, but for those that ask whether the client is known."""
        return [entry for entry in self.requests if entry["path"] == "/token" and entry["form"].get("grant_type") == kind
                and entry["form"].get("code") != "unknown"]

    def accepts(self, token):
        """Whether the resource takes the token, asked by a client without the library."""
        command = ["curl", "--silent", "--output", "-", "--write-out", "\n%{http_code}", "--request", "POST"]
        for header in (f"Authorization: Bearer {token}", "Content-Type: application/json",
                       "Accept: application/json, text/event-stream"):
            command += ["--header", header]
        done = subprocess.run([*command, "--data", INITIALIZE, self.resource], capture_output=True, text=True)
        return done.stdout.rsplit("\n", 1)[-1] == "200"


class Identity:
    """nanoidp, on a port that it keeps; it asks its user for a password."""

    def __init__(self, stage, name, certificate=None, hosts=(), registers=False):
        self.stage, self.name, self.certificate = stage, name, certificate
        self.folder = stage.folder / name
        self.folder.mkdir(parents=True)
        self.port = free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        # JSON is YAML.
        (self.folder / "settings.yaml").write_text(json.dumps({
            "config_version": 1, "server": {"host": "127.0.0.1", "port": self.port},
            "jwt": {"keys_dir": str(self.folder / "keys")},
            "oauth": {
                "issuer": self.issuer, "token_expiry_minutes": 1, "refresh_token_rotation": True,
                "dynamic_registration": {"enabled": registers},
                "client_id_metadata_documents": {
                    "enabled": bool(hosts), "allowed_hosts": list(hosts), "allow_loopback": True}},
            "device_flow": {"polling_interval": 1}}))
        (self.folder / "users.yaml").write_text(json.dumps({
            "config_version": 1,
            "users": {"admin": {"password": "admin", "email": "ada@example.test", "roles": ["USER"]}}}))
        self.start()

    def start(self):
        environment = {"SSL_CERT_FILE": str(self.certificate)} if self.certificate else {}
        self.stage.processes.start(
            self.name, [sys.executable, "-B", "-m", "nanoidp", "--config", self.folder, "--port", str(self.port)],
            self.port, environment)

    def restart(self, rotates_keys=False):
        self.stage.processes.stop(self.name)
        if rotates_keys:
            (self.folder / "keys").rename(self.folder / f"keys-until-{time.monotonic_ns()}")
        self.start()

    def count(self, text):
        """How often its log has the text, such as a request and its status."""
        log = (self.stage.processes.logs / self.name).read_text(errors="replace")
        return COLOR.sub("", log).count(text)


class DocumentServer:
    """Serves a client metadata document over TLS, with the certificate of an authority of this run."""

    def __init__(self, folder):
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], check=True, stderr=subprocess.DEVNULL, cwd=folder)

        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "authority.key", "-out", "authority.crt",
                "-days", "2", "-subj", "/CN=authority of this run")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "document.key", "-out", "document.csr", "-subj",
                "/CN=127.0.0.1")
        (folder / "document.ext").write_text("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
        openssl("x509", "-req", "-in", "document.csr", "-CA", "authority.crt", "-CAkey", "authority.key",
                "-CAcreateserial", "-out", "document.crt", "-days", "2", "-extfile", "document.ext")
        requests = self.requests = []
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                requests.append(self.path)
                body = json.dumps(served.document).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "document.crt", folder / "document.key")
        self.authority = folder / "authority.crt"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.address = f"https://{self.host}/client.json"
        self.document = {
            "client_id": self.address, "client_name": "authctl", "redirect_uris": ["http://127.0.0.1/callback"],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": "none"}
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()


class Stage:
    def __init__(self, here, folder, program):
        self.here, self.folder = here, folder
        self.processes = Processes(folder)
        self.results = []
        self.authctl = AuthCTL([str(program)], folder / "home", self.results)

    def start_login(self, server, *options, profile="notes"):
        return self.authctl.start(
            "login", "--protected-resource", server.resource, "--json", "--no-browser", "--storage", "file", "--profile",
            profile, *options)

    def login(self, server, *options, profile="notes"):
        """Signs in with the browser's part. Returns the result and the address of the page, None where none was shown."""
        running = self.start_login(server, *options, profile=profile)
        return self.in_browser(running)

    @staticmethod
    def in_browser(running):
        shown = running.wait_for("authorization_url", 60)
        saw = Browser().sign_in(shown["url"]) if shown else None
        if saw and saw[0] != 200:
            # The app was never returned to.
            running.process.terminate()
        result = running.finish(60)
        if saw and saw[0] != 200:
            result.err += f"[browser saw {saw[0]}: {saw[1][:300]}]"
        return result, shown and shown["url"]

    def run(self, command, *arguments, profile="notes"):
        return self.authctl.run(command, "--storage", "file", "--profile", profile, *arguments, seconds=120)

    def token(self, *arguments, profile="notes"):
        return self.run("token", *arguments, profile=profile)

    def request(self, url, profile="notes"):
        """Opens a session of the Model Context Protocol, as its clients do first."""
        return self.run(
            "request", "-X", "POST", "-H", "Content-Type: application/json", "-H",
            "Accept: application/json, text/event-stream", "-d", INITIALIZE, url, profile=profile)

    def end(self):
        self.processes.stop_all()
