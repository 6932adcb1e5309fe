"""glewlwyd, from Debian, with a separate database, configuration and port."""
import json
import shutil
import subprocess
from pathlib import Path

from glewlwyd.seed import seed
from kit.waiting import free_port
from kit.witness import Witness

SCHEMA = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
PAGES = Path("/usr/share/glewlwyd/webapp")
SETTINGS = Path("/etc/glewlwyd/config.json"), Path("/usr/share/glewlwyd/templates/config.json")

CONFIGURATION = """\
port={port}
bind_address="127.0.0.1"
external_url="{base}/"
login_url="login.html"
api_prefix="api"
static_files_path="{folder}/webapp/"
log_mode="file"
log_level="INFO"
log_file="{folder}/glewlwyd.log"
cookie_secure=0
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
use_secure_connection=false
secure_connection_key_file="{folder}/unused.key"
secure_connection_pem_file="{folder}/unused.pem"
hash_algorithm="SHA512"
database = {{ type = "sqlite3"; path = "{folder}/database.sqlite"; }};
static_files_mime_types = (
  {{extension=".html"; mime_type="text/html";}}, {{extension=".css"; mime_type="text/css";}},
  {{extension=".js"; mime_type="application/javascript";}}, {{extension=".json"; mime_type="application/json";}},
  {{extension=".png"; mime_type="image/png";}}, {{extension=".ico"; mime_type="image/x-icon";}},
  {{extension=".woff"; mime_type="font/woff";}}, {{extension=".woff2"; mime_type="font/woff2";}},
  {{extension=".ttf"; mime_type="font/ttf";}})
"""


class Glewlwyd:
    name = "glewlwyd"

    def __init__(self, folder, processes):
        self.folder = folder / "glewlwyd"
        self.folder.mkdir(parents=True)
        self.processes = processes
        self.port = free_port()
        self.redirect_port = free_port()
        self.witness = Witness(self.port, "localhost", self.folder / "exchanges.log")
        self.base = self.witness.base
        self.prepare()
        self.start()
        seed(f"http://127.0.0.1:{self.port}", self.base, self.folder, self.redirect_uri)

    @property
    def redirect_uri(self):
        """glewlwyd compares redirect URIs with their port."""
        return f"http://127.0.0.1:{self.redirect_port}/callback"

    def issuer(self, plugin):
        return f"{self.base}/api/{plugin}"

    def prepare(self):
        schema = "BEGIN;\n" + SCHEMA.read_text() + "\nCOMMIT;\n"
        subprocess.run(["sqlite3", self.folder / "database.sqlite"], input=schema, text=True, check=True)
        shutil.copytree(PAGES, self.folder / "webapp", ignore=lambda _, names: {"config.json"} & set(names))
        settings = json.loads(next(path for path in SETTINGS if path.exists()).read_text())
        for name, page in (
            ("GlewlwydUrl", ""), ("ProfileUrl", "profile.html"), ("AdminUrl", "index.html"), ("LoginUrl", "login.html"),
            ("profileUrl", "profile.html"),
        ):
            settings[name] = f"{self.base}/{page}"
        (self.folder / "webapp" / "config.json").write_text(json.dumps(settings))
        configuration = CONFIGURATION.format(port=self.port, base=self.base, folder=self.folder)
        (self.folder / "glewlwyd.conf").write_text(configuration)

    def start(self):
        self.processes.start(
            "glewlwyd", ["glewlwyd", f"--config-file={self.folder / 'glewlwyd.conf'}"], self.port)
        self.witness.open()

    def stop(self):
        self.witness.close()
        self.processes.stop("glewlwyd")
