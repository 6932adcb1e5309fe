"""A Django project that mounts dj-rest-auth as it is, with JWTs, rotation and a blacklist.

usage: dj_rest_auth_server.py FOLDER PORT ACCESS-SECONDS"""
import sys
from datetime import timedelta
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server

import django
from django.conf import settings

folder, port, seconds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
settings.configure(
    DEBUG=False,
    SECRET_KEY="for loopback only, and longer than thirty-two bytes",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    SITE_ID=1,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
        "django.contrib.sites", "rest_framework", "rest_framework_simplejwt.token_blacklist", "allauth",
        "allauth.account", "allauth.socialaccount", "dj_rest_auth", "dj_rest_auth.registration",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(folder / "database.sqlite"),
        "OPTIONS": {"timeout": 150, "init_command": "PRAGMA synchronous=OFF"},
    }},
    # A quick hash: these passwords protect nothing.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    AUTH_PASSWORD_VALIDATORS=[{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}],
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    ACCOUNT_EMAIL_VERIFICATION="none",
    ACCOUNT_RATE_LIMITS=False,
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": ["dj_rest_auth.jwt_auth.JWTCookieAuthentication"]},
    REST_AUTH={
        "USE_JWT": True, "JWT_AUTH_HTTPONLY": False, "OLD_PASSWORD_FIELD_ENABLED": True, "TOKEN_MODEL": None,
        "SESSION_LOGIN": False,
    },
    SIMPLE_JWT={
        "ACCESS_TOKEN_LIFETIME": timedelta(seconds=seconds), "ROTATE_REFRESH_TOKENS": True,
        "BLACKLIST_AFTER_ROTATION": True,
    },
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [
    path("auth/", include("dj_rest_auth.urls")),
    path("auth/registration/", include("dj_rest_auth.registration.urls")),
    # The page of the app to which a reset leads.
    path("reset/<uidb64>/<token>/", lambda *_: HttpResponse(), name="password_reset_confirm"),
]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


if __name__ == "__main__":
    sys.modules[settings.ROOT_URLCONF] = sys.modules["__main__"]
    call_command("migrate", verbosity=0)
    make_server("127.0.0.1", port, get_wsgi_application(), server_class=Server).serve_forever()
