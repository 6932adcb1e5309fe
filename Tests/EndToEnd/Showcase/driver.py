"""WebDriver (W3C) in the standard library, over Debian's chromedriver; Chromium reaches loopback only."""
import base64
import http.client
import json
import os
import shutil
import signal
import subprocess

from waiting import answers, free_port, until

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--password-store=basic", "--window-size=1280,1000", "--lang=en-US",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


class DriverError(Exception):
    """What the driver answered; its `kind` is such as `stale element reference`."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message[:300]}")
        self.kind = kind


class Driver:
    def __init__(self, folder):
        port = free_port()
        log = open(folder / "chromedriver.log", "ab")
        self.process = subprocess.Popen(
            [shutil.which("chromedriver"), f"--port={port}"], stdout=log, stderr=log, start_new_session=True)
        self.port = port
        try:
            until(lambda: answers(port), "chromedriver listens", 30)
            options = {
                "binary": shutil.which("chromium"), "args": [*SWITCHES, f"--user-data-dir={folder / 'chromium'}"],
                "prefs": {"intl.accept_languages": "en-US"}}
            capabilities = {"alwaysMatch": {"goog:chromeOptions": options, "webauthn:virtualAuthenticators": True}}
            self.session = self.send("POST", "/session", {"capabilities": capabilities})["sessionId"]
        except BaseException:
            self.kill()
            raise

    def send(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        text = None if method != "POST" else json.dumps(body or {})
        connection.request(method, path, text, {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise DriverError(value["error"], value.get("message", ""))
        return value

    def do(self, method, path, body=None):
        return self.send(method, f"/session/{self.session}{path}", body)

    def open(self, url):
        self.do("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.do("GET", "/url")

    def script(self, text, *arguments):
        """The body of a function."""
        return self.do("POST", "/execute/sync", {"script": text, "args": arguments})

    def asynchronous(self, text, *arguments):
        """The same; its last argument is called with the result."""
        return self.do("POST", "/execute/async", {"script": text, "args": arguments})

    def cdp(self, command, **parameters):
        return self.do("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def picture(self, element=None):
        """PNG, of the window or of an element."""
        return base64.b64decode(self.do("GET", f"/element/{element}/screenshot" if element else "/screenshot"))

    def find(self, selector):
        found = self.do("POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def click(self, element):
        self.do("POST", f"/element/{element}/click")

    def type(self, element, text):
        self.do("POST", f"/element/{element}/value", {"text": text})

    def is_shown(self, element):
        return self.do("GET", f"/element/{element}/displayed")

    def role_and_name(self, element):
        return self.do("GET", f"/element/{element}/computedrole"), self.do("GET", f"/element/{element}/computedlabel")

    def focused(self):
        return self.do("GET", "/element/active")[ELEMENT]

    def press_key(self, key):
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.do("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def windows(self):
        return self.do("GET", "/window/handles")

    def new_tab(self):
        handle = self.do("POST", "/window/new", {"type": "tab"})["handle"]
        self.switch(handle)
        return handle

    def switch(self, handle):
        self.do("POST", "/window", {"handle": handle})

    def close_tab(self):
        self.do("DELETE", "/window")

    def add_authenticator(self):
        """A virtual one, whose user always agrees (WebAuthn Level 3 §11)."""
        options = {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserConsenting": True, "isUserVerified": True}
        return self.do("POST", "/webauthn/authenticator", options)

    def remove_authenticator(self, authenticator):
        self.do("DELETE", f"/webauthn/authenticator/{authenticator}")

    def quit(self):
        try:
            self.do("DELETE", "")
        except Exception:
            pass
        self.kill()

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(60)
        except ProcessLookupError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
