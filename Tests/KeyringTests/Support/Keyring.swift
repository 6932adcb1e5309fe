import Foundation

/// The throw-away keyring that `Tests/Keyring/run` has started, as its user and the system treat it.
enum Keyring {
  static let home = ProcessInfo.processInfo.environment["KEYRING_HOME"] ?? "/nowhere"

  static func lock() throws {
    try shell(
      """
      dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
        org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login
      """)
  }

  /// As a new login of the user does: only an open daemon can be started without a prompt.
  static func unlock() throws {
    try shell(
      """
      pid=$(\(findProcess)) && kill -KILL $pid
      for round in {1..500}; do
        if dbus-send --session --print-reply \(bus).NameHasOwner \(name) | grep -q false; then break; fi
      done
      # What this process has open would be the daemon's too, and this line would have no end.
      for file in /proc/self/fd/*; do file=${file##*/}; if [ $file -gt 2 ]; then eval "exec $file>&-"; fi; done
      printf test | HOME=\(home) XDG_DATA_HOME=\(home)/data \
        gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
      for round in {1..500}; do
        if dbus-send --session --print-reply \(bus).NameHasOwner \(name) | grep -q true; then exit 0; fi
      done
      exit 1
      """)
  }

  /// From here on this process has no bus.
  static func leave() {
    for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { unsafe unsetenv(name) }
  }

  /// Runs a call that must end, while the daemon answers nothing.
  static func whileStopped<Result>(_ body: () throws -> Result) throws -> Result {
    let process = try process
    try shell("kill -STOP \(process)")
    defer { _ = try? shell("kill -CONT \(process)") }
    return try body()
  }

  /// Runs a call that needs a prompt, with one that never appears on any screen.
  static func withHangingPrompt<Result>(_ body: () throws -> Result) throws -> Result {
    let file = "\(home)/data/dbus-1/services/org.gnome.keyring.SystemPrompter.service"
    try Data("[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=/bin/sleep 60\n".utf8)
      .write(to: URL(filePath: file))
    defer {
      try? FileManager.default.removeItem(atPath: file)
      _ = try? shell("dbus-send --session --print-reply \(bus).ReloadConfig")
    }
    try shell("dbus-send --session --print-reply \(bus).ReloadConfig")
    return try body()
  }

  /// The part of every secret that the desktop's tools can see without opening one.
  static func labelsAndAttributes() throws -> String {
    try shell(
      """
      for item in $(dbus-send --session --print-reply --dest=org.freedesktop.secrets \
        /org/freedesktop/secrets/collection/login org.freedesktop.DBus.Properties.Get \
        string:org.freedesktop.Secret.Collection string:Items | grep -o '/org/[^"]*'); do
        dbus-send --session --print-reply --dest=org.freedesktop.secrets $item \
          org.freedesktop.DBus.Properties.GetAll string:org.freedesktop.Secret.Item
      done
      """)
  }

  private static let bus = "--dest=org.freedesktop.DBus / org.freedesktop.DBus"
  private static let name = "string:org.freedesktop.secrets"

  private static let findProcess =
    "dbus-send --session --print-reply=literal \(bus).GetConnectionUnixProcessID \(name) 2>/dev/null | awk '{print $2}'"

  private static var process: String {
    get throws { try shell(findProcess).trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  struct Failed: Error {
    let line: String
  }

  @discardableResult
  private static func shell(_ line: String) throws -> String {
    let outcome = try Command.run("/bin/bash", ["-c", line])
    guard outcome.status == 0 else { throw Failed(line: line) }
    return outcome.out
  }
}
