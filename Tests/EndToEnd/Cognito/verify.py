"""Has two clients sign in at one pool, ours and pycognito. usage: verify.py PROGRAM POOL-FILE"""
import base64
import hashlib
import hmac
import json
import struct
import subprocess
import sys
import time

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito.aws_srp import N_HEX, AWSSRP

PROGRAM = sys.argv[1]
with open(sys.argv[2]) as file:
    POOL = json.load(file)
CASES = 10_000


def say(fact, holds):
    say.failures += not holds
    print(f"{'ok' if holds else 'NOT OK'}  {fact}", flush=True)


say.failures = 0


class PoolUser:
    """Our client, as a separate process."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAM, "cognito", POOL["endpoint"], POOL["pool"], POOL["client"]], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True)

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


service = boto3.client(
    "cognito-idp", region_name=POOL["pool"].split("_")[0], endpoint_url=POOL["endpoint"],
    config=Config(signature_version=UNSIGNED))


def pycognito(name, password):
    """Whether pycognito signs in."""
    try:
        exchange = AWSSRP(name, password, POOL["pool"], POOL["client"], client=service)
        return "AccessToken" in exchange.authenticate_user()["AuthenticationResult"]
    except ClientError as error:
        return error.response["Error"]["Code"]


def refusal(operation, **arguments):
    try:
        getattr(service, operation)(**arguments)
        return None
    except ClientError as error:
        return error.response["Error"]["Code"]


def one_time_password(secret):
    secret = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    digest = hmac.digest(secret, struct.pack(">Q", int(time.time() // 30)), "sha1")
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def stream(seed, count):
    data = b""
    while len(data) < count:
        data += hashlib.sha256(f"{seed} {len(data)}".encode()).digest()
    return int.from_bytes(data[:count], "big")


def powers(seed, count):
    modulus, digest = int(N_HEX, 16), hashlib.sha256()
    for index in range(count):
        exponent = stream(f"{seed} exponent {index}", 8 + index % 65)
        digest.update(pow(stream(f"{seed} base {index}", 383), exponent, modulus).to_bytes(384, "big"))
    return digest.hexdigest()


def run(*arguments):
    return subprocess.run([PROGRAM, "cognito", *arguments], capture_output=True, text=True, check=True).stdout.strip()


print("== SRP")
say("pycognito signs in, so that the pool does what the real one does", pycognito("ada", "ada Pässwort") is True)
say("pycognito is refused with a wrong password", pycognito("ada", "ada Passwort") == "NotAuthorizedException")
with PoolUser() as ada:
    signed_in = ada("sign-in", "ada", "ada Pässwort")
    say("a user signs in", signed_in.startswith("signed-in "))
    say("it is the same user by an e-mail address", ada("sign-in", "ada@example.org", "ada Pässwort") == signed_in)
    say("it is the same user by a password that is sent", ada("sign-in-plain", "ada", "ada Pässwort") == signed_in)
    for password in ("ada Passwort", "ada Pässwort ", "x"):
        refused = ada("sign-in", "ada", password) == "failed invalid_credentials NotAuthorizedException"
        say("a wrong password is refused", refused)
    refused = ada("sign-in", "unknown", "ada Pässwort") == "failed invalid_credentials NotAuthorizedException"
    say("an unknown user gets the same error", refused)
    say("forty exchanges in a row succeed", all(ada("sign-in", "ada", "ada Pässwort") == signed_in for _ in range(40)))

    print("== a session")
    say("the profile is the user's", ada("who") == signed_in)
    first, access = ada("refresh-token").split()[1], ada("access-token").split()[1]
    say("a refresh succeeds", ada("refresh") == signed_in)
    second = ada("refresh-token").split()[1]
    say("the refresh token was rotated", first != second)
    again = ada("refresh")
    deadline = time.monotonic() + 75
    # For ten seconds a token that has just replaced a refused one is not replaced itself.
    while again.startswith("failed access_token_refused") and time.monotonic() < deadline:
        time.sleep(0.5)
        again = ada("refresh")
    say("a rotated token refreshes", again == signed_in)
    say("a password is changed", ada("change-password", "ada Pässwort", "ada neues") == "done")
    say("the old one is refused then", pycognito("ada", "ada Pässwort") == "NotAuthorizedException")
    say("pycognito signs in with the new one", pycognito("ada", "ada neues") is True)
    third = ada("refresh-token").split()[1]
    say("a user signs out", ada("sign-out") == "done")
    gone = refusal("get_tokens_from_refresh_token", RefreshToken=third, ClientId=POOL["client"])
    say("the session has ended at the pool", gone == "NotAuthorizedException")

    say("a user signs in again", ada("sign-in", "ada", "ada neues") == signed_in)
    stolen = ada("refresh-token").split()[1]
    service.get_tokens_from_refresh_token(RefreshToken=stolen, ClientId=POOL["client"])
    say("a refresh token that another client used ends the session",
        ada("refresh") == "failed session_rejected RefreshTokenReuseException")

print("== steps")
with PoolUser() as joan:
    say("a new password is asked for", joan("sign-in", "joan", "joan-temporary").startswith("challenge new_password"))
    say("it signs in", joan("answer", "new-password", "joan's own").startswith("signed-in "))
    say("pycognito signs in with it", pycognito("joan", "joan's own") is True)

with PoolUser() as grace:
    signed_in = grace("sign-in", "grace", "grace Pässwort")
    asked = grace("enrol").split()
    say("an authenticator app is enrolled", asked[:2] == ["challenge", "enrolment"])
    say("a wrong first code is refused", grace("account-answer", "code", "000000").startswith("failed wrong_code"))
    say("the right one is accepted", grace("account-answer", "code", one_time_password(asked[2])) == "done")
    say("a code is asked for after the password", grace("sign-in", "grace", "grace Pässwort").startswith("challenge otp"))
    say("a wrong code is refused", grace("answer", "code", "000000").startswith("failed wrong_code"))
    say("the right code signs in", grace("answer", "code", one_time_password(asked[2])) == signed_in)

with PoolUser() as mary:
    asked = mary("sign-up", "mary", "mary's own")
    say("a new account is confirmed by a code", asked.startswith("challenge confirmation"))
    again = mary("sign-in", "mary", "mary's own")
    say("before that a sign-in asks for the code", again.startswith("challenge confirmation"))
    say("the code signs in", mary("answer", "code", "123456").startswith("signed-in "))
    say("the account exists already", mary("sign-up", "mary", "mary's own").startswith("failed account_exists"))
    say("a forgotten password takes a code", mary("reset-password", "mary").startswith("challenge confirmation"))
    say("then a new password", mary("account-answer", "code", "123456").startswith("challenge new_password"))
    say("which is accepted", mary("account-answer", "new-password", "mary's next") == "done")
    say("pycognito signs in with it", pycognito("mary", "mary's next") is True)

print("== arithmetic")
say(f"{CASES} powers are the same as Python's", run("powers", "cognito", str(CASES)) == powers("cognito", CASES))
print(f"one sign-in computes for {run('time', '51')} ms (median of 51)")

sys.exit(1 if say.failures else 0)
