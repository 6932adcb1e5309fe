"""Phone numbers: allauth leaves it to the project where they are kept."""
from django.conf import settings
from django.db import models


class Phone(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE)
    number = models.CharField(max_length=20, unique=True)
    verified = models.BooleanField(default=False)
