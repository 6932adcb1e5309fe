"""Two servers verify what a client with a software authenticator makes of their options. usage: verify.py PROGRAM"""
import base64
import copy
import json
import subprocess
import sys

import webauthn
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria, PublicKeyCredentialDescriptor, ResidentKeyRequirement, UserVerificationRequirement)

DOMAIN = "example.org"
ORIGIN = "https://example.org"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Client:
    """The program, as a browser that a server's page talks to."""

    def __init__(self, origin=ORIGIN, domain=DOMAIN):
        self.process = subprocess.Popen(
            [sys.argv[1], "passkeys", origin, domain], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request, options):
        self.process.stdin.write(f"{request} {json.dumps(json.loads(options))}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        return answer if answer.startswith("failed ") else json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


class PyWebAuthn:
    name = "py_webauthn"

    def creation(self):
        options = webauthn.generate_registration_options(
            rp_id=DOMAIN, rp_name="Example", user_name="ada@example.org", user_id=b"ada",
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED))
        self.challenge = options.challenge
        return webauthn.options_to_json(options)

    def register(self, response):
        self.credential = webauthn.verify_registration_response(
            credential=response, expected_challenge=self.challenge, expected_rp_id=DOMAIN, expected_origin=ORIGIN,
            require_user_verification=True)
        self.count = self.credential.sign_count

    def request(self, named):
        allowed = [PublicKeyCredentialDescriptor(id=self.credential.credential_id)] if named else None
        options = webauthn.generate_authentication_options(
            rp_id=DOMAIN, allow_credentials=allowed, user_verification=UserVerificationRequirement.REQUIRED)
        self.challenge = options.challenge
        return webauthn.options_to_json(options)

    def authenticate(self, response):
        self.count = webauthn.verify_authentication_response(
            credential=response, expected_challenge=self.challenge, expected_rp_id=DOMAIN, expected_origin=ORIGIN,
            credential_public_key=self.credential.credential_public_key,
            credential_current_sign_count=self.count, require_user_verification=True).new_sign_count


class PythonFIDO2:
    name = "python-fido2"

    def __init__(self):
        self.server = Fido2Server(PublicKeyCredentialRpEntity(id=DOMAIN, name="Example"))

    def creation(self):
        options, self.state = self.server.register_begin(
            PublicKeyCredentialUserEntity(id=b"ada", name="ada@example.org", display_name="Ada"),
            resident_key_requirement="required", user_verification="required")
        return json.dumps(dict(options))

    def register(self, response):
        self.credential = self.server.register_complete(self.state, response).credential_data
        assert isinstance(self.credential, AttestedCredentialData)

    def request(self, named):
        options, self.state = self.server.authenticate_begin(
            [self.credential] if named else None, user_verification="required")
        return json.dumps(dict(options))

    def authenticate(self, response):
        self.server.authenticate_complete(self.state, [self.credential], response)


def forge(response, member, change):
    forged = copy.deepcopy(response)
    forged["response"][member] = encode(change(decode(forged["response"][member])))
    return forged


def flip(at):
    def change(data):
        changed = bytearray(data)
        changed[at] ^= 1
        return bytes(changed)
    return change


def rewrite(**members):
    return lambda data: json.dumps({**json.loads(data), **members}).encode()


def say(fact, holds):
    print(("ok      " if holds else "FAILED  ") + fact)
    say.failures += not holds


say.failures = 0


def refuses(verify, response):
    try:
        verify(response)
    except Exception:
        return True
    return False


def accepts(verify, response):
    try:
        verify(response)
    except Exception as error:
        print(f"        {type(error).__name__}: {error}")
        return False
    return True


CLIENT_DATA = {
    "another challenge": rewrite(challenge=encode(bytes(32))), "another origin": rewrite(origin="https://example.com"),
    "another type": rewrite(type="payment.get")}

for server in (PyWebAuthn(), PythonFIDO2()):
    client = Client()
    options = server.creation()
    made = client.ask("create", options)
    forgeries = {name: forge(made, "clientDataJSON", change) for name, change in CLIENT_DATA.items()}
    domain = made["response"]["attestationObject"]
    at = decode(domain).index(b"authData") + 10
    forgeries["another domain"] = forge(made, "attestationObject", flip(at))
    forgeries["no verification"] = forge(
        made, "attestationObject", lambda data: data[:at + 32] + bytes([data[at + 32] & ~4]) + data[at + 33:])
    for name, forged in forgeries.items():
        say(f"{server.name} refuses a registration with {name}", refuses(server.register, forged))
    say(f"{server.name} accepts the registration", accepts(server.register, made))

    for named in (False, True):
        signed = client.ask("get", server.request(named))
        forgeries = {name: forge(signed, "clientDataJSON", change) for name, change in CLIENT_DATA.items()}
        forgeries["a flipped bit of the signature"] = forge(signed, "signature", flip(-1))
        forgeries["a flipped bit of the counter"] = forge(signed, "authenticatorData", flip(36))
        forgeries["another domain"] = forge(signed, "authenticatorData", flip(0))
        which = "a named passkey" if named else "any passkey"
        for name, forged in forgeries.items():
            say(f"{server.name} refuses an assertion of {which} with {name}", refuses(server.authenticate, forged))
        say(f"{server.name} accepts the assertion of {which}", accepts(server.authenticate, signed))
        say(f"the user handle says whose it is", signed["response"]["userHandle"] == encode(b"ada"))

    again = client.ask("create", options)
    say(f"options of {server.name} that come again are refused", again == "failed security passkey_challenge")
    client.close()

    elsewhere = Client(domain="example.com", origin="https://example.com")
    refused = elsewhere.ask("create", server.creation())
    say(f"an app of another domain refuses options of {server.name}", refused == "failed security relying_party")
    elsewhere.close()

sys.exit(1 if say.failures else 0)
