"""What an authenticator app shows (RFC 6238)."""
import base64
import hashlib
import hmac
import struct
import time


def code(secret, periods=0):
    """The code of now, or of so many periods of 30 seconds later."""
    counter = struct.pack(">Q", int(time.time() // 30) + periods)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"
