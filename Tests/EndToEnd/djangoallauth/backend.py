"""A Django project that mounts django-allauth's headless API as it is: settings, an outbox and users are all that is here.

usage: backend.py FOLDER PORT CODE-SECONDS"""
import os
import subprocess
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

folder, port, code_seconds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["OUTBOX"] = str(folder / "outbox.jsonl")
key = folder / "key.pem"
if not key.exists():
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, stderr=subprocess.DEVNULL)

settings.configure(
    DEBUG=False,
    SECRET_KEY="for loopback only",
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    SITE_ID=1,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
        "django.contrib.sites", "django.contrib.humanize", "allauth", "allauth.account", "allauth.mfa",
        "allauth.headless", "allauth.usersessions", "djangoallauth",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
        "allauth.usersessions.middleware.UserSessionsMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
        ]},
    }],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(folder / "database.sqlite"),
        "OPTIONS": {"timeout": 150, "init_command": "PRAGMA synchronous=OFF"},
    }},
    # A quick hash: these passwords protect nothing.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    EMAIL_BACKEND="djangoallauth.adapter.Outbox",
    ACCOUNT_ADAPTER="djangoallauth.adapter.Adapter",
    ACCOUNT_LOGIN_METHODS={"email", "phone"},
    ACCOUNT_SIGNUP_FIELDS=["email*", "password1*"],
    ACCOUNT_EMAIL_VERIFICATION="mandatory",
    ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED=True,
    ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT=code_seconds,
    ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND=3,
    ACCOUNT_CHANGE_EMAIL=True,
    ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED=True,
    ACCOUNT_LOGIN_BY_CODE_ENABLED=True,
    ACCOUNT_LOGIN_BY_CODE_TIMEOUT=code_seconds,
    ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND=3,
    ACCOUNT_PHONE_VERIFICATION_SUPPORTS_RESEND=3,
    ACCOUNT_RATE_LIMITS=False,
    MFA_RATE_LIMITS=False,
    MFA_SUPPORTED_TYPES=["totp", "recovery_codes", "webauthn"],
    MFA_PASSKEY_LOGIN_ENABLED=True,
    MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN=True,
    MFA_TOTP_TOLERANCE=1,
    HEADLESS_ONLY=True,
    HEADLESS_CLIENTS=("app",),
    HEADLESS_FRONTEND_URLS={
        name: f"https://app.example.test/{name}"
        for name in (
            "account_confirm_email", "account_reset_password", "account_reset_password_from_key", "account_signup")
    },
    HEADLESS_TOKEN_STRATEGY="allauth.headless.tokens.strategies.jwt.JWTTokenStrategy",
    HEADLESS_JWT_PRIVATE_KEY=key.read_text(),
    HEADLESS_JWT_ACCESS_TOKEN_EXPIRES_IN=60,
    HEADLESS_JWT_STATEFUL_VALIDATION_ENABLED=True,
    USERSESSIONS_TRACK_ACTIVITY=True,
)
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
from djangoallauth.models import Phone  # noqa: E402

urlpatterns = [path("_allauth/", include("allauth.headless.urls"))]


def seed():
    call_command("migrate", run_syncdb=True, verbosity=0)
    users = get_user_model().objects
    for number, name in enumerate(("alice", "bob", "carol", "dave", "erin", "frank", "grace")):
        address = f"{name}@example.test"
        if not users.filter(username=name).exists():
            user = users.create_user(name, address, f"{name}-pw")
            EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
            Phone.objects.create(user=user, number=f"+1555010000{number}", verified=True)


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class Handler(WSGIRequestHandler):
    def address_string(self):
        return self.client_address[0]


if __name__ == "__main__":
    sys.modules[settings.ROOT_URLCONF] = sys.modules["__main__"]
    seed()
    make_server("127.0.0.1", port, get_wsgi_application(), server_class=Server, handler_class=Handler).serve_forever()
