"""A user pool on loopback: moto's, with the parts that moto leaves out, the verification of SRP and the rotation of refresh tokens.

usage: pool.py FILE, which is written when the pool is ready: endpoint, pool, client.
"""
import base64
import hashlib
import hmac
import io
import json
import os
import secrets
import sys
from datetime import datetime, timezone

os.environ["MOTO_COGNITO_IDP_USER_POOL_ENABLE_TOTP"] = "true"

from moto.cognitoidp.models import cognitoidp_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from pycognito.aws_srp import N_HEX
from werkzeug.serving import make_server

ACCOUNT, REGION = "123456789012", "us-east-1"
MODULUS, GENERATOR = int(N_HEX, 16), 2
CLOCK_TOLERANCE = 300


def signed(number):
    """Big-endian, short, and never negative as two's complement."""
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def digest(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def number(data):
    return int.from_bytes(data, "big")


MULTIPLIER = number(digest(signed(MODULUS), signed(GENERATOR)))


class Refusal(Exception):
    def __init__(self, kind, message):
        self.kind, self.message = kind, message


WRONG = Refusal("NotAuthorizedException", "Incorrect username or password.")


class Exchange:
    """The server's half of one exchange of SRP."""

    def __init__(self, pool, user, name, client_value):
        if client_value % MODULUS == 0:
            raise WRONG
        self.user = user
        # An unknown user is asked, too: whether there is an account is not told.
        self.user_id = user.id if user else "unknown-" + name
        self.pool_name = pool.id.split("_", 1)[1]
        self.salt = number(digest(self.user_id.encode())[:16])
        password = user.password if user else secrets.token_hex()
        inner = digest(f"{self.pool_name}{self.user_id}:{password}".encode())
        self.verifier = pow(GENERATOR, number(digest(signed(self.salt), inner)), MODULUS)
        self.private = secrets.randbelow(MODULUS)
        self.client_value = client_value
        self.value = (MULTIPLIER * self.verifier + pow(GENERATOR, self.private, MODULUS)) % MODULUS
        self.block = base64.b64encode(secrets.token_bytes(256)).decode()

    def accepts(self, answers):
        try:
            sent = datetime.strptime(answers["TIMESTAMP"], "%a %b %d %H:%M:%S UTC %Y").replace(tzinfo=timezone.utc)
        except ValueError:
            raise Refusal("InvalidParameterException", "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy.")
        if answers["TIMESTAMP"].split()[2].startswith("0"):
            raise Refusal("InvalidParameterException", "TIMESTAMP has a padded day.")
        if abs((datetime.now(timezone.utc) - sent).total_seconds()) > CLOCK_TOLERANCE or not self.user:
            return False
        scrambler = digest(signed(self.client_value), signed(self.value))
        common = pow(self.client_value * pow(self.verifier, number(scrambler), MODULUS), self.private, MODULUS)
        extracted = hmac.digest(signed(number(scrambler)), signed(common), "sha256")
        key = hmac.digest(extracted, b"Caldera Derived Key\x01", "sha256")[:16]
        message = (self.pool_name + self.user_id).encode() + base64.b64decode(self.block) + answers["TIMESTAMP"].encode()
        return hmac.compare_digest(
            hmac.digest(key, message, "sha256"), base64.b64decode(answers["PASSWORD_CLAIM_SIGNATURE"]))


class Pool:
    """moto's application, in front of which a few operations are done here."""

    def __init__(self):
        self.application = DomainDispatcherApplication(create_backend_app)
        self.backend = cognitoidp_backends[ACCOUNT][REGION]
        lenient = {f"Require{kind}": False for kind in ("Uppercase", "Lowercase", "Numbers", "Symbols")}
        self.pool = self.backend.create_user_pool("kit", {"Policies": {"PasswordPolicy": {"MinimumLength": 6, **lenient}}})
        self.client = self.backend.create_user_pool_client(self.pool.id, False, {"ClientName": "app"})
        for name in ("ada", "grace", "joan"):
            address = [{"Name": "email", "Value": f"{name}@example.org"}]
            self.backend.admin_create_user(self.pool.id, name, None, f"{name}-temporary", address)
            if name != "joan":
                self.backend.admin_set_user_password(self.pool.id, name, f"{name} Pässwort", True)
        self.exchanges = {}
        # Each refresh token's successors, those of its whole family in one list.
        self.families = {}
        self.used = set()

    def user(self, name):
        def names(user):
            yield from (user.username, user.id)
            yield from (one["Value"] for one in user.attributes if one["Name"] == "email")
        return next((user for user in self.pool.users.values() if name in names(user)), None)

    def begin(self, body, forward):
        flow, given = body["AuthFlow"], body["AuthParameters"]
        if flow == "REFRESH_TOKEN_AUTH":
            raise Refusal("NotAuthorizedException", "Refresh token rotation is enabled for this client.")
        if flow != "USER_SRP_AUTH":
            return forward("InitiateAuth", body)
        exchange = Exchange(self.pool, self.user(given["USERNAME"]), given["USERNAME"], int(given["SRP_A"], 16))
        self.exchanges[exchange.block] = exchange
        return {
            "ChallengeName": "PASSWORD_VERIFIER",
            "ChallengeParameters": {
                "SALT": f"{exchange.salt:x}", "SRP_B": f"{exchange.value:x}", "SECRET_BLOCK": exchange.block,
                "USERNAME": exchange.user.username if exchange.user else given["USERNAME"],
                "USER_ID_FOR_SRP": exchange.user_id}}

    def answer(self, body, forward):
        if body["ChallengeName"] != "PASSWORD_VERIFIER":
            return forward("RespondToAuthChallenge", body)
        answers = body["ChallengeResponses"]
        exchange = self.exchanges.pop(answers["PASSWORD_CLAIM_SECRET_BLOCK"], None)
        if not exchange:
            raise Refusal("NotAuthorizedException", "Invalid session for the user.")
        if not exchange.accepts(answers):
            raise WRONG
        given = {"USERNAME": exchange.user.username, "PASSWORD": exchange.user.password}
        return forward(
            "InitiateAuth",
            {"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": body["ClientId"], "AuthParameters": given})

    def refresh(self, body, _):
        token = body["RefreshToken"]
        family = self.families.setdefault(token, [token])
        if token in self.used:
            for one in family:
                self.pool.refresh_tokens[one] = None
            raise Refusal("RefreshTokenReuseException", "Refresh Token has been reused.")
        if not self.pool.refresh_tokens.get(token):
            raise Refusal("NotAuthorizedException", "Refresh Token has been revoked")
        access, identity, lifetime = self.pool.create_tokens_from_refresh_token(token)
        client, name, _ = self.pool.refresh_tokens[token]
        successor, _ = self.pool.create_refresh_token(client, name)
        family.append(successor)
        self.families[successor] = family
        self.used.add(token)
        return {
            "AuthenticationResult": {
                "AccessToken": access, "IdToken": identity, "RefreshToken": successor, "ExpiresIn": lifetime,
                "TokenType": "Bearer"}}

    def revoke(self, body, _):
        for one in self.families.get(body["Token"], [body["Token"]]):
            self.pool.refresh_tokens[one] = None
        return {}

    operations = {
        "InitiateAuth": begin, "RespondToAuthChallenge": answer, "GetTokensFromRefreshToken": refresh,
        "RevokeToken": revoke}

    def __call__(self, environment, start_response):
        operation = environment.get("HTTP_X_AMZ_TARGET", "").rpartition(".")[2]
        body = environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))

        class Forwarded(Exception):
            pass

        def forward(name, content):
            raise Forwarded(name, json.dumps(content).encode())

        try:
            if operation not in self.operations:
                raise Forwarded(operation, body)
            status, content = "200 OK", self.operations[operation](self, json.loads(body), forward)
        except Refusal as refusal:
            status, content = "400 Bad Request", {"__type": refusal.kind, "message": refusal.message}
        except Forwarded as forwarded:
            name, body = forwarded.args
            environment["HTTP_X_AMZ_TARGET"] = "AWSCognitoIdentityProviderService." + name
            environment["CONTENT_LENGTH"] = str(len(body))
            environment["wsgi.input"] = io.BytesIO(body)
            return self.application(environment, start_response)
        content = json.dumps(content).encode()
        start_response(
            status, [("Content-Type", "application/x-amz-json-1.1"), ("Content-Length", str(len(content)))])
        return [content]


if __name__ == "__main__":
    pool = Pool()
    server = make_server("127.0.0.1", 0, pool, threaded=True)
    ready = {"endpoint": f"http://127.0.0.1:{server.port}", "pool": pool.pool.id, "client": pool.client.id}
    with open(sys.argv[1] + ".new", "w") as file:
        json.dump(ready, file)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    server.serve_forever()
