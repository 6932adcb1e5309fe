#if os(Linux)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The D-Bus of the desktop's session.
enum SessionBus {
  /// False if there is no bus to connect to: GLib would start one of its own, with no secret in it.
  static var isNamed: Bool {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return !address.isEmpty }
    guard let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return false }
    return unsafe access("\(folder)/bus", F_OK) == 0
  }

  /// Whether there may be a display on which a prompt can be shown.
  static var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { variable($0)?.isEmpty == false }
  }

  private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
#endif
