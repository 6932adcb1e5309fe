"""Has an app sign in at real servers by the contracts of the documentation.

usage: verify.py PROGRAM WORK-FOLDER ENVIRONMENTS [NAME...]"""
import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

PROGRAM, WORK, ENVIRONMENTS = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
SERVERS = Path(__file__).resolve().parent / "Servers"
PASSWORD, OTHER = "correct horse 1", "battery staple 2"


def say(fact, *pairs):
    """Each pair is what was seen, and what should be."""
    wrong = [f"{seen!r} instead of {wanted!r}" for seen, wanted in pairs if seen != wanted]
    say.failures += bool(wrong)
    print(f"{'NOT OK' if wrong else 'ok'}  {fact}{': ' if wrong else ''}{'; '.join(wrong)}", flush=True)


say.failures = 0


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def ask(method, url, body=None, token=None):
    """Status and JSON of a response, to a client without the library."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(
        url, None if body is None else json.dumps(body).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    return status, json.loads(text) if text else None


class Server:
    """A program that listens on loopback, ended with the block."""

    def __init__(self, name, arguments, port):
        self.log = open(WORK / f"{name}.log", "w")
        self.process = subprocess.Popen(arguments, stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.__exit__()
        sys.exit(f"{name} does not listen:\n" + (WORK / f"{name}.log").read_text()[-2000:])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


class App:
    """Our client, as a separate process."""

    def __init__(self, contract, base):
        self.process = subprocess.Popen(
            [PROGRAM, "backends", contract, base], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, *words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


def folder(name):
    path = WORK / name
    path.mkdir(parents=True)
    return path


def beginning(text):
    return text.split(" ")[0]


def lasts(app, seconds):
    """Whether the token lasts so long, but for the time that its response took."""
    return seconds - 10 <= int(app("seconds").split(" ")[-1]) <= seconds


def pocketbase():
    work, mail, port = folder("pocketbase"), free_port(), free_port()
    program = ENVIRONMENTS / "pocketbase/bin/pocketbase"
    subprocess.run(
        [program, "superuser", "upsert", "root@example.test", PASSWORD, "--dir", work], check=True,
        stdout=subprocess.DEVNULL)
    host = f"http://127.0.0.1:{port}"
    base = f"{host}/api/collections/users"
    with Server("mail", [sys.executable, "-B", SERVERS / "mail.py", work, str(mail)], mail), \
            Server("pocketbase-server", [program, "serve", "--http", f"127.0.0.1:{port}", "--dir", work], port):
        root = ask(
            "POST", f"{host}/api/collections/_superusers/auth-with-password",
            {"identity": "root@example.test", "password": PASSWORD})[1]["token"]
        ask("PATCH", f"{host}/api/settings", {"smtp": {"enabled": True, "host": "127.0.0.1", "port": mail}}, root)

        def configure(**settings):
            status, body = ask("PATCH", base, settings, root)
            assert status == 200, body

        def code(number):
            """The code of the mail with this number, from 1."""
            for _ in range(600):
                text = (work / "mail.txt").read_text() if (work / "mail.txt").exists() else ""
                codes = re.findall(r"one-time password is: (\d+)", text)
                if len(codes) >= number:
                    return codes[number - 1]
                time.sleep(0.1)
            return "none"

        configure(
            authToken={"duration": 60}, authAlert={"enabled": False},
            otp={"enabled": True, "duration": 300, "length": 6})
        with App("pocketbase", base) as app, App("pocketbase", base) as other:
            ada = app("sign-up", "ada@example.test", PASSWORD)
            say("a sign-up without tokens is followed by a sign-in", (beginning(ada), "signed-in"))
            say("an account that exists is named",
                (other("sign-up", "ada@example.test", PASSWORD), "failed account_exists"))
            say("so is a weak password", (other("sign-up", "bob@example.test", "short"), "failed weak_password"))
            say("so is an address that is none",
                (other("sign-up", "bob", PASSWORD), "failed invalid_email_address"),
                (other("sign-up", "bob@@example", PASSWORD), "failed invalid_email_address"))
            say("a wrong password is refused",
                (other("sign-in", "ada@example.test", OTHER), "failed invalid_credentials"))
            say("the session says when it ends", (lasts(app, 60), True), (app("end"), "end known"))
            say("a token is refreshed while the app is idle", (app("idle"), "refreshed"))
            say("and when the app asks", (app("refresh"), ada))
            say("the user is read by the id in the path", (app("who"), ada))
            old = app("token").split(" ")[1]
            say("a second device signs in", (other("sign-in", "ada@example.test", PASSWORD), ada))
            say("a wrong old password is refused", (app("change", OTHER, OTHER), "failed invalid_credentials"))
            say("a password is changed, and the session goes on",
                (app("change", PASSWORD, OTHER), "done"), (app("who"), ada),
                (ask("POST", f"{base}/auth-refresh", token=old)[0], 401))
            say("the other device is signed out by the server's refusal",
                (other("refresh"), "failed session_rejected"), (other("state"), "signed-out rejected"))
            say("no rule of a provider is broken", (other("verify", "ada@example.test", OTHER), "done"))

            # The first code to an address that is not verified would end the password, too.
            ask("PATCH", f"{base}/records/{ada.split(' ')[1]}", {"verified": True}, root)
            say("a code is sent by mail", (other("mail", "ada@example.test"), "challenge email"))
            say("a wrong code may be typed again", (other("answer", "code", "000000"), "failed wrong_code"))
            say("the code signs in", (other("answer", "code", code(1)), ada))

            configure(mfa={"enabled": True, "duration": 300})
            say("a second factor is asked after the password",
                (other("sign-in", "ada@example.test", OTHER), "challenge choice"),
                (other("answer", "choice", "mail"), "challenge email"),
                (other("answer", "code", code(2)), ada))
            say("and the password after a code",
                (other("mail", "ada@example.test"), "challenge email"),
                (other("answer", "code", code(3)), "challenge password"),
                (other("answer", "password", OTHER), ada))
            say("a change of the password asks for it as well",
                (other("change", OTHER, PASSWORD), "challenge choice"),
                (other("account-answer", "choice", "mail"), "challenge email"),
                (other("account-answer", "code", code(4)), "done"), (other("who"), ada))
            configure(mfa={"enabled": False})
            say("the account is deleted",
                (other("delete"), "done"), (other("state"), "signed-out account_deleted"),
                (other("sign-in", "ada@example.test", PASSWORD), "failed invalid_credentials"))
            say("what the deletion left elsewhere is signed out", (app("refresh"), "failed session_rejected"))


def dj_rest_auth():
    work, port = folder("dj-rest-auth"), free_port()
    python = ENVIRONMENTS / "dj-rest-auth/bin/python"
    base = f"http://127.0.0.1:{port}/auth"
    command = [python, "-B", SERVERS / "dj_rest_auth_server.py", work, str(port), "30"]
    with Server("dj-rest-auth-server", command, port), \
            App("dj-rest-auth", base) as app, App("dj-rest-auth", base) as other:
        ada = app("sign-up", "ada@example.test", PASSWORD)
        say("a sign-up signs in", (ada, "signed-in 1"))
        say("an account that exists is named",
            (other("sign-up", "ada@example.test", PASSWORD), "failed account_exists"))
        say("so is a weak password", (other("sign-up", "bob@example.test", "short"), "failed weak_password"))
        say("so are a name that is no address, and an address that is no name",
            (other("sign-up", "bob", PASSWORD), "failed invalid_email_address"),
            (other("sign-up", "bob'b@example.test", PASSWORD), "failed sign_up_refused"))
        say("a wrong password is refused", (other("sign-in", "ada@example.test", OTHER), "failed invalid_credentials"))
        say("a token says how long it is valid", (lasts(app, 30), True), (app("end"), "end none"))
        say("a refresh token is used once", (app("refresh"), ada), (app("refresh"), ada), (app("who"), ada))
        say("the profile is changed", (app("rename", "Ada"), ada))
        say("a wrong old password is refused", (app("change", OTHER, OTHER), "failed invalid_credentials"))
        say("so is a weak new one", (app("change", PASSWORD, "short"), "failed weak_password"))
        say("a password is changed", (app("change", PASSWORD, OTHER), "done"), (app("who"), ada))
        say("a reset is sent", (other("reset", "ada@example.test"), "done"))
        say("no rule of a provider is broken", (other("verify", "ada@example.test", OTHER), "done"))
        say("a sign-out ends the session", (app("sign-out"), "done"), (app("state"), "signed-out requested"))


def fastapi_users():
    work, port = folder("fastapi-users"), free_port()
    python = ENVIRONMENTS / "fastapi-users/bin/python"
    base = f"http://127.0.0.1:{port}"
    command = [python, "-B", SERVERS / "fastapi_users_server.py", work, str(port), "20"]
    with Server("fastapi-users-server", command, port), \
            App("fastapi-users", base) as app, App("fastapi-users", base) as other:
        ada = app("sign-up", "ada@example.com", PASSWORD)
        say("a sign-up without tokens is followed by a sign-in", (beginning(ada), "signed-in"))
        say("an account that exists is named", (other("sign-up", "ada@example.com", PASSWORD), "failed account_exists"))
        say("so is a weak password", (other("sign-up", "bob@example.com", "short"), "failed weak_password"))
        say("a wrong password is refused", (other("sign-in", "ada@example.com", OTHER), "failed invalid_credentials"))
        say("a reset is sent", (other("reset", "ada@example.com"), "done"))
        say("no rule of a provider is broken", (other("verify", "ada@example.com", PASSWORD), "done"))
        say("a sign-out is a request with the access token",
            (other("sign-in", "ada@example.com", PASSWORD), ada), (other("sign-out"), "done"))
        say("a session that nothing refreshes says when it ends, and that it has ended",
            (app("end"), "end known"), (app("expired"), "now expired"), (app("who"), "failed session_expired"),
            (app("state"), f"{ada} expired"))
        say("the user signs in again", (app("sign-in", "ada@example.com", PASSWORD), ada), (app("who"), ada))


def matrix():
    work, port = folder("matrix"), free_port()
    python = ENVIRONMENTS / "matrix/bin/python"
    subprocess.run(
        [python, "-B", "-m", "synapse.app.homeserver", "--server-name", "localhost",
         "--config-path", work / "generated.yaml", "--generate-config", "--report-stats=no", "--data-directory", work], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, cwd=work)
    limits = {"per_second": 1000, "burst_count": 1000}
    # JSON is YAML.
    (work / "own.yaml").write_text(json.dumps({
        "listeners": [{
            "port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "tls": False,
            "resources": [{"names": ["client"]}],
        }],
        "enable_registration": True, "enable_registration_without_verification": True,
        "refreshable_access_token_lifetime": "30s", "trusted_key_servers": [], "bcrypt_rounds": 4,
        "rc_login": {"address": limits, "account": limits, "failed_attempts": limits}, "rc_registration": limits,
    }))
    base = f"http://127.0.0.1:{port}/_matrix/client/v3"
    command = [python, "-B", "-m", "synapse.app.homeserver", "-c", work / "generated.yaml", "-c", work / "own.yaml"]
    with Server("matrix-server", command, port), App("matrix", base) as app, App("matrix", base) as other:
        ada = app("sign-up", "ada", PASSWORD)
        say("a sign-up signs in", (ada, "signed-in @ada:localhost"))
        say("an account that exists is named", (other("sign-up", "ada", PASSWORD), "failed account_exists"))
        say("a wrong password is refused", (other("sign-in", "ada", OTHER), "failed invalid_credentials"))
        say("with the server's own code", (other("code", "ada", OTHER), "code M_FORBIDDEN"))
        say("a token says how long it is valid", (lasts(app, 30), True))
        say("a refresh token is used once", (app("refresh"), ada), (app("refresh"), ada), (app("who"), ada))
        say("the profile is changed", (app("rename", "Ada"), ada))
        say("a second device signs in", (other("sign-in", "ada", PASSWORD), ada), (app("sessions"), "sessions 2 1"))
        say("a wrong old password is refused", (app("change", OTHER, OTHER), "failed invalid_credentials"))
        say("a password is changed", (app("change", PASSWORD, OTHER), "done"), (app("who"), ada))
        say("a service that wants the password with its request asks for it",
            (app("end-other"), "challenge password"), (app("delete"), "challenge password"))
        say("a wrong password ends no session", (app("end-other", PASSWORD), "failed invalid_credentials"),
            (other("who"), ada))
        say("the password ends the other session", (app("end-other", OTHER), "done"),
            (other("who"), "failed session_rejected"), (other("sign-in", "ada", OTHER), ada))
        say("no rule of a provider is broken", (other("verify", "ada", OTHER), "done"))
        say("all sessions end by one call",
            (other("sign-out-everywhere"), "done"), (app("who"), "failed session_rejected"),
            (app("sign-in", "ada", OTHER), ada), (other("sign-in", "ada", OTHER), ada))
        token = app("token").split(" ")[1]
        say("a session that ended at the server is signed out",
            (ask("POST", f"{base}/logout", {}, token)[0], 200), (app("who"), "failed session_rejected"),
            (app("state"), "signed-out rejected"))
        say("a sign-out ends the session", (other("sign-out"), "done"), (other("state"), "signed-out requested"))
        say("an account is deleted", (app("sign-in", "ada", OTHER), ada), (app("delete", OTHER), "done"),
            (app("state"), "signed-out account_deleted"), (app("sign-in", "ada", OTHER), "failed invalid_credentials"))


BACKENDS = {
    "pocketbase": pocketbase, "dj-rest-auth": dj_rest_auth, "fastapi-users": fastapi_users, "matrix": matrix,
}
for name in sys.argv[4:] or BACKENDS:
    began = time.monotonic()
    print(f"== {name}", flush=True)
    BACKENDS[name]()
    print(f"{time.monotonic() - began:.0f} s", flush=True)
sys.exit(1 if say.failures else 0)
