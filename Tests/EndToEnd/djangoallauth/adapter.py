"""Where codes go and phone numbers are kept: an outbox that the scenarios read takes the place of mail and text messages."""
import json
import os
import time
from pathlib import Path

from allauth.account.adapter import DefaultAccountAdapter
from django.core.mail.backends.base import BaseEmailBackend
from djangoallauth.models import Phone


def post(to, text):
    with open(Path(os.environ["OUTBOX"]), "a") as outbox:
        outbox.write(json.dumps({"at": time.time(), "to": to, "text": text}) + "\n")


class Outbox(BaseEmailBackend):
    def send_messages(self, messages):
        for message in messages:
            post(message.to[0], message.body)
        return len(messages)


class Adapter(DefaultAccountAdapter):
    def set_phone(self, user, phone, verified):
        Phone.objects.update_or_create(user=user, defaults={"number": phone, "verified": verified})

    def set_phone_verified(self, user, phone):
        self.set_phone(user, phone, True)

    def get_phone(self, user):
        phone = Phone.objects.filter(user=user).first()
        return phone and (phone.number, phone.verified)

    def get_user_by_phone(self, phone):
        found = Phone.objects.filter(number=phone).first()
        return found and found.user

    def send_verification_code_sms(self, user, phone, code, **rest):
        post(phone, code)

    def send_unknown_account_sms(self, phone, **rest):
        post(phone, "There is no account with this number.")

    def send_account_already_exists_sms(self, phone):
        post(phone, "There is an account with this number.")
