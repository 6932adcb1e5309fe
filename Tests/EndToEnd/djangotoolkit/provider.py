"""A Django project that mounts django-oauth-toolkit as it is: settings, URLs, users and clients are all that is here.

usage: provider.py FOLDER PORT BASE LIFETIME [--advertise]"""
import os
import subprocess
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

folder, port, base, lifetime = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
advertises = "--advertise" in sys.argv
key = folder / "key.pem"
if not key.exists():
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, stderr=subprocess.DEVNULL)
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

settings.configure(
    DEBUG=False,
    SECRET_KEY="for loopback only",
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    ROOT_URLCONF=__name__,
    LOGIN_URL="/login/",
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
        "django.contrib.admin", "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
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
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": key.read_text(),
        "SCOPES": {"openid": "who you are", "profile": "your name", "email": "your address", "notes": "your notes"},
        "DEFAULT_SCOPES": ["openid"],
        "ACCESS_TOKEN_EXPIRE_SECONDS": lifetime,
        "REFRESH_TOKEN_EXPIRE_SECONDS": 86400,
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 0,
        "PKCE_REQUIRED": True,
        "REQUEST_APPROVAL_PROMPT": "auto",
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
        "OAUTH_DEVICE_VERIFICATION_URI": f"{base}/o/device/",
        "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{base}/o/device/?user_code={code}",
        "DEVICE_FLOW_INTERVAL": 1,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        "OIDC_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["client_secret_post", "client_secret_basic", "none"],
    },
)
django.setup()

import json  # noqa: E402

from django.contrib import admin  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.views import ConnectDiscoveryInfoView  # noqa: E402


class FullDiscovery(ConnectDiscoveryInfoView):
    """The endpoints that django-oauth-toolkit has and leaves out of its discovery document."""

    def get(self, request, *arguments, **named):
        document = json.loads(super().get(request, *arguments, **named).content)
        for name, view in (
            ("device_authorization_endpoint", "device-authorization"), ("revocation_endpoint", "revoke-token"),
            ("introspection_endpoint", "introspect"),
        ):
            document[name] = self._get_endpoint_url(request, view)
        return JsonResponse(document)


urlpatterns = [
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("login/", LoginView.as_view(template_name="admin/login.html")),
    path("admin/", admin.site.urls),  # the login page's template refers to it
]
if advertises:
    urlpatterns.insert(0, path("o/.well-known/openid-configuration", FullDiscovery.as_view()))

CODE = {"authorization_grant_type": "authorization-code", "client_type": "public"}
CLIENTS = {
    "native": CODE,
    "asking": {**CODE, "skip_authorization": False},
    "confidential": {**CODE, "client_type": "confidential", "client_secret": "s3cret-s3cret"},
    "device": {**CODE, "authorization_grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
    "trusted": {**CODE, "authorization_grant_type": "password"},
}


def seed():
    call_command("migrate", verbosity=0)
    users, clients = get_user_model().objects, get_application_model().objects
    for user in ("alice", "bob"):
        if not users.filter(username=user).exists():
            users.create_user(
                user, f"{user}@example.test", f"{user}-pw", first_name=user.title(), last_name="Example")
    for client_id, fields in CLIENTS.items():
        if not clients.filter(client_id=client_id).exists():
            clients.create(**{
                "client_id": client_id, "name": client_id, "algorithm": "RS256", "skip_authorization": True,
                "redirect_uris": "http://127.0.0.1/callback", **fields})


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
