"""An issuer and a client registered there: what one signs in with."""
import dataclasses
from types import ModuleType

from kit.witness import Witness


@dataclasses.dataclass(frozen=True)
class Party:
    server: object
    issuer: str
    client_id: str
    pages: ModuleType
    scope: str
    redirect_port: int | None = None
    secret: str | None = None

    @property
    def witness(self) -> Witness:
        return self.server.witness

    @property
    def name(self):
        return f"{self.server.name} {self.issuer.rsplit('/', 1)[-1]}"

    def but(self, **differences):
        return dataclasses.replace(self, **differences)
