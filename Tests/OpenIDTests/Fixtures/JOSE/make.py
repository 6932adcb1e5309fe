"""Makes interop.json: key sets and ID tokens by two implementations that share no code with this library.

Needs `pip install joserfc "PyJWT[crypto]"`. The keys are new at each run; the tests need no particular ones.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import warnings

import jwt as pyjwt
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey, OKPKey, RSAKey

warnings.simplefilter("ignore")

NOW = 1790000000
ACCESS = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
CODE = "SplxlOBeZQQYbYS6WxSbIA"
ISSUER, CLIENT, NONCE = "https://id.example.com", "app", "n-0S6_WzA2Mj"

GENERATED = {
    "RS256": lambda: RSAKey.generate_key(2048), "RS384": lambda: RSAKey.generate_key(3072),
    "RS512": lambda: RSAKey.generate_key(4096), "PS256": lambda: RSAKey.generate_key(2048),
    "PS384": lambda: RSAKey.generate_key(2048), "PS512": lambda: RSAKey.generate_key(2048),
    "ES256": lambda: ECKey.generate_key("P-256"), "ES384": lambda: ECKey.generate_key("P-384"),
    "ES512": lambda: ECKey.generate_key("P-521"), "EdDSA": lambda: OKPKey.generate_key("Ed25519"),
}


def half(alg, text):
    name = "sha512" if alg == "EdDSA" else "sha" + alg[2:]
    digest = hashlib.new(name, text.encode()).digest()
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()


def claims(alg, **changes):
    base = {
        "iss": ISSUER, "sub": "248289761001", "aud": CLIENT, "nonce": NONCE, "iat": NOW - 30, "exp": NOW + 300,
        "auth_time": NOW - 60, "acr": "urn:example:gold", "at_hash": half(alg, ACCESS), "c_hash": half(alg, CODE),
        "name": "Ada Lovelace \U0001F4BB \"Countess\"", "email": "ada@example.com", "groups": [{"id": 1}, None, 2.5],
    }
    base.update(changes)
    return {name: value for name, value in base.items() if value is not ...}


def by_joserfc(key, alg, kid, body, **header):
    return joserfc_jwt.encode({"alg": alg, "kid": kid, **header}, body, key, algorithms=[alg])


def by_pyjwt(key, alg, kid, body, **header):
    return pyjwt.encode(body, key.as_pem(private=True).decode(), algorithm=alg, headers={"kid": kid, **header})


def mac_token(secret, kid, body):
    """By hand: both libraries refuse a public key as a secret."""
    parts = [json.dumps({"alg": "HS256", "kid": kid}).encode(), json.dumps(body).encode()]
    text = ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
    mac = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return text + "." + base64.urlsafe_b64encode(mac).rstrip(b"=").decode()


makers = {"joserfc": by_joserfc, "PyJWT": by_pyjwt}
sets, tokens = {}, []


def add(name, keys, token, check=None, maker="joserfc"):
    tokens.append({"name": name, "maker": maker, "keys": keys, "token": token, "check": check})


for alg, generate in GENERATED.items():
    key = generate()
    public = {**key.as_dict(private=False), "kid": alg, "alg": alg, "use": "sig"}
    sets[alg] = {"keys": [public]}
    for maker, make in makers.items():
        def token(**changes):
            return make(key, alg, alg, claims(alg, **changes))
        add(f"{alg}", alg, token(), None, maker)
        add(f"{alg} for two audiences", alg, token(aud=[CLIENT, "api"], azp=CLIENT), None, maker)
        add(f"{alg} of another issuer", alg, token(iss=ISSUER + "/"), "issuer", maker)
        add(f"{alg} for another client", alg, token(aud=["other"]), "audience", maker)
        add(f"{alg} with another nonce", alg, token(nonce="other"), "nonce", maker)
        add(f"{alg} expired", alg, token(exp=NOW - 61), "lifetime", maker)
        add(f"{alg} without a subject", alg, token(sub=...), "subject", maker)
        add(f"{alg} of another access token", alg, token(at_hash=half(alg, "other")), "token_hash", maker)
        add(f"{alg} of another code", alg, token(c_hash=half(alg, "other")), "token_hash", maker)
        other_key = generate()
        add(f"{alg} by another key", alg, make(other_key, alg, alg, claims(alg)), "signature", maker)
    # RFC 8725 §2.1: the public key as the secret of a MAC.
    for kind, secret in {
        "PEM": key.as_pem(private=False), "JWK": json.dumps(public).encode(), "DER": key.as_der(private=False),
    }.items():
        mac = mac_token(secret, alg, claims(alg))
        add(f"HS256 by the {kind} of the {alg} key", alg, mac, "signature", "hand")
    unsigned = pyjwt.encode(claims(alg), None, algorithm="none", headers={"kid": alg})
    add(f"unsigned, for {alg}", alg, unsigned, "signature", "PyJWT")

weak = RSAKey.generate_key(1024)
sets["weak"] = {"keys": [{**weak.as_dict(private=False), "kid": "weak", "alg": "RS256", "use": "sig"}]}
add("RS256 by a key of 1,024 bits", "weak", by_pyjwt(weak, "RS256", "weak", claims("RS256")), "signature", "PyJWT")

result = {
    "now": NOW, "issuer": ISSUER, "clientID": CLIENT, "nonce": NONCE, "accessToken": ACCESS, "code": CODE,
    "sets": sets, "tokens": tokens,
}
path = pathlib.Path(__file__).parent / "interop.json"
path.write_text(json.dumps(result, indent=1, ensure_ascii=True) + "\n")
