"""Fills glewlwyd through its own administration API: a plugin per way a provider can behave, clients, users."""
import json
import subprocess
import urllib.error
import urllib.request
from http.cookiejar import CookieJar

USERS = ("alice", "bob")
SCOPES = ("openid", "profile", "email", "offline_access", "api")
ADDED_SCOPES = ("profile", "email", "offline_access", "api")

COMMON = {
    "jwt-type": "rsa",
    "jwt-key-size": "256",
    "access-token-duration": 60,
    "refresh-token-duration": 1209600,
    "code-duration": 60,
    "refresh-token-rolling": True,
    "refresh-token-one-use": "always",
    "allow-non-oidc": True,
    "auth-type-code-enabled": True,
    "auth-type-code-revoke-replayed": True,
    "auth-type-token-enabled": False,
    "auth-type-id-token-enabled": True,
    "auth-type-implicit-enabled": False,
    "auth-type-none-enabled": False,
    "auth-type-password-enabled": True,
    "auth-type-client-enabled": True,
    "auth-type-device-enabled": True,
    "auth-type-refresh-enabled": True,
    "jwks-show": True,
    "request-parameter-allow": True,
    "pkce-allowed": True,
    "pkce-method-plain-allowed": False,
    "pkce-required": True,
    "device-authorization-expiration": 60,
    "device-authorization-interval": 1,
    "introspection-revocation-allowed": True,
    "introspection-revocation-allow-target-client": True,
    "introspection-revocation-auth-scope": [],
    "session-management-allowed": True,
    "session-cookie-name": "GLEWLWYD2_OIDC_SID",
    "session-cookie-expiration": 2419200,
    "oauth-as-iss-id": True,
    "oauth-par-allowed": True,
    "oauth-par-required": False,
    "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
    "oauth-par-duration": 60,
    "oauth-dpop-allowed": True,
    "oauth-dpop-iat-duration": 60,
    "oauth-dpop-iat-gap-duration": 5,
    "name-claim": "mandatory",
    "email-claim": "mandatory",
    "scope-claim": "on-demand",
}

PLUGINS = {
    "strict": {},
    "brief": {"access-token-duration": 3},
    "fading": {"access-token-duration": 2, "refresh-token-duration": 4, "refresh-token-rolling": False},
    "lasting": {"access-token-duration": 3, "refresh-token-one-use": "never"},
    "hasty": {"device-authorization-expiration": 5},
    "pushed": {"oauth-par-required": True},
    "bound": {"access-token-duration": 3, "oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 5},
    "rs512": {"jwt-key-size": "512"},
    "ps256": {"jwt-type": "rsa-pss"},
    "es256": {"jwt-type": "ecdsa"},
    "es384": {"jwt-type": "ecdsa", "jwt-key-size": "384"},
    "eddsa": {"jwt-type": "eddsa"},
}

KEYS = {
    "rsa": ("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
    "rsa-pss": ("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
    "ecdsa256": ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
    "ecdsa384": ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"),
    "eddsa": ("genpkey", "-algorithm", "ED25519"),
}


class Administration:
    def __init__(self, server):
        self.server = server
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def log_in(self, name, password):
        self.call("POST", "auth/", {"username": name, "password": password})

    def call(self, method, path, body):
        request = urllib.request.Request(
            f"{self.server}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
        try:
            self.opener.open(request).read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"glewlwyd: {method} {path}: {error.code} {error.read()[:300]!r}") from None


def key_pair(kind, folder):
    private, public = folder / f"{kind}.pem", folder / f"{kind}.public.pem"
    if not private.exists():
        subprocess.run(["openssl", *KEYS[kind], "-out", private], check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return {"key": private.read_text(), "cert": public.read_text()}


def add_plugins(administration, base, folder):
    for name, differences in PLUGINS.items():
        parameters = {**COMMON, **differences, "iss": f"{base}/api/{name}"}
        kind = parameters["jwt-type"]
        parameters.update(key_pair(kind + parameters["jwt-key-size"] if kind == "ecdsa" else kind, folder))
        body = {"module": "oidc", "name": name, "display_name": name, "parameters": parameters}
        administration.call("POST", "mod/plugin/", body)


def add_client(administration, client_id, redirect_uri, **differences):
    administration.call("POST", "client/", {
        "client_id": client_id,
        "name": client_id,
        "client_name": client_id,
        "enabled": True,
        "confidential": False,
        "authorization_type": ["code", "refresh_token", "device_authorization", "password"],
        "redirect_uri": [redirect_uri],
        "scope": [],
        **differences,
    })


def seed(server, base, folder, redirect_uri):
    administration = Administration(server)
    administration.log_in("admin", "password")
    add_plugins(administration, base, folder)
    for scope in ADDED_SCOPES:
        administration.call("POST", "scope/", {
            "name": scope, "display_name": scope, "description": scope, "password_required": True,
            "password_max_age": 0, "scheme": {}})
    for user in USERS:
        administration.call("POST", "user/", {
            "username": user, "name": user.title(), "email": f"{user}@example.test", "password": f"{user}-pw",
            "enabled": True, "scope": [*SCOPES, "g_profile"]})
    add_client(administration, "native", redirect_uri)
    add_client(administration, "asking", redirect_uri)
    add_client(
        administration, "confidential", redirect_uri, confidential=True, client_secret="s3cret-s3cret",
        token_endpoint_auth_method=["client_secret_basic", "client_secret_post"], scope=["api"],
        authorization_type=["code", "refresh_token", "device_authorization", "password", "client_credentials"])
    for user in USERS:
        consents = Administration(server)
        consents.log_in(user, f"{user}-pw")
        for client_id in ("native", "confidential"):
            consents.call("PUT", f"auth/grant/{client_id}", {"scope": " ".join(SCOPES)})
