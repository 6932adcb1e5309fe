"""Everything a scenario may use: the servers, the browser, the program, and who is registered where."""
import functools
import itertools
from concurrent.futures import ThreadPoolExecutor

import djangotoolkit.pages
import glewlwyd.pages
from djangoallauth.server import DjangoAllauth
from djangotoolkit.server import DjangoToolkit
from glewlwyd.server import Glewlwyd
from kit.accounts import Accounts
from kit.authctl import AuthCTL
from kit.browser import Browser
from kit.facts import Facts
from kit.party import Party
from kit.processes import Processes
from kit.products import Products

SECRET = "s3cret-s3cret"


class World:
    def __init__(self, folder, program, package):
        self.folder = folder
        self.program = program
        self.products = Products(package)
        self.facts = Facts()
        self.processes = Processes(folder)
        self.homes = itertools.count(1)
        self.results = []
        self.browser = None

    def __enter__(self):
        try:
            with ThreadPoolExecutor() as pool:
                starting = [
                    pool.submit(Glewlwyd, self.folder, self.processes),
                    pool.submit(DjangoToolkit, "django", self.folder, self.processes, 60, advertises=False),
                    pool.submit(DjangoToolkit, "django-full", self.folder, self.processes, 4, advertises=True),
                    pool.submit(Browser, self.folder, self.processes),
                ]
            # The browser first: a started process must be known to be stopped.
            self.browser = starting.pop().result()
            self.glewlwyd, self.django, self.full_django = (server.result() for server in starting)
        except BaseException:
            self.__exit__()
            raise
        return self

    @property
    def witnesses(self):
        return [server.witness for server in (self.glewlwyd, self.django, self.full_django)]

    def __exit__(self, *error):
        if self.browser:
            self.browser.quit()
        self.processes.stop_all()

    def authctl(self):
        """The program with a fresh home."""
        return AuthCTL([self.program], self.folder / "homes" / str(next(self.homes)), self.results)

    @functools.cached_property
    def allauth(self):
        return DjangoAllauth("allauth", self.folder, self.processes, 300)

    @functools.cached_property
    def hasty_allauth(self):
        return DjangoAllauth("allauth-hasty", self.folder, self.processes, 2)

    def authctl_allauth(self):
        """authctl with one more kind of provider, and a fresh home."""
        command = [self.products.build(), "authctl"]
        return AuthCTL(command, self.folder / "homes" / str(next(self.homes)), self.results)

    def accounts(self, server=None):
        """The small app with accounts on a separate device."""
        folder = self.folder / "devices" / str(next(self.homes))
        return Accounts(self.products.build(), (server or self.allauth).base, folder)

    def at_glewlwyd(self, plugin="strict", client_id="native"):
        return Party(
            self.glewlwyd, self.glewlwyd.issuer(plugin), client_id, glewlwyd.pages,
            "openid profile email offline_access", self.glewlwyd.redirect_port,
            SECRET if client_id == "confidential" else None)

    def at_django(self, client_id="native", full=False):
        server = self.full_django if full else self.django
        return Party(
            server, server.issuer, client_id, djangotoolkit.pages, "openid profile email", None,
            SECRET if client_id == "confidential" else None)
