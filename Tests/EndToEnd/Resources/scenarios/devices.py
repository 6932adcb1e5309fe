"""A resource signed in to on another device, where the authorization server offers that"""
from browser import Browser
from stage import Identity, Server


def play(stage, facts):
    identity = Identity(stage, "nanoidp", registers=True)
    notes = Server(stage, "fastmcp", "fastmcp_resource_server.py", identity.issuer)
    running = stage.start_login(notes, "--flow", "device")
    shown = running.wait_for("device_code", 60)
    facts.check("a code for another device is shown", shown and shown.get("user_code"), running.err)
    if shown:
        facts.equal("its page approves it", Browser().approve(shown["verification_uri"], shown["user_code"]), 200)
    result = running.finish(60)
    facts.check("the login ends signed in, registered once", result.code == 0 and result.event("signed_in") and
                identity.count('"POST /register HTTP/1.1" 201') == 1, result)
    facts.equal("the resource takes the token", stage.request(notes.resource).code, 0)
