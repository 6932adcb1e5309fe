"""The output and the files of all the commands before. Last, because it looks back."""
import stat

VALUES = ("access_token", "refresh_token", "id_token", "device_code")


def secrets(world):
    """Every secret that went by, from both directions."""
    found = {"s3cret-s3cret", "alice-pw", "bob-pw"}
    for witness in world.witnesses:
        for exchange in witness.exchanges:
            answer = exchange.json
            if isinstance(answer, dict):
                found.update(answer[name] for name in VALUES if isinstance(answer.get(name), str))
            found.update(exchange.form[name] for name in ("code", "code_verifier") if name in exchange.form)
    return {secret for secret in found if len(secret) > 5}


def printed(world, facts):
    known = secrets(world)
    leaks = []
    for result in world.results:
        silent = result.err if result.arguments[0] in ("token", "request") else result.out + result.err
        if any(secret in silent for secret in known):
            leaks.append(str(result))
    facts.check(f"{len(world.results)} commands printed none of {len(known)} secrets but where they should",
                known and not leaks, leaks[:3])


def stored(world, facts):
    homes = world.folder / "homes"
    kept = [path for state in homes.glob("*/state") for path in (state, *state.rglob("*"))]
    exposed = [str(path.relative_to(homes)) for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077]
    facts.check(
        f"the {len(kept)} files and folders of state are their owner's alone", kept and not exposed, exposed[:5])
    elsewhere = [
        str(path.relative_to(homes)) for path in homes.glob("*/**/*")
        if path.is_file() and path.suffix != ".secret" and path.relative_to(homes).parts[1] != "state"
        and path.relative_to(homes).parts[0] != "road"]
    facts.check("and no file was left elsewhere", not elsewhere, elsewhere[:5])


SCENARIOS = (
    ("what was printed", printed),
    ("what was stored", stored),
)
