#if os(Linux)
import AuthenticationDomain
import Foundation
import Synchronization

/// Tells each time the default keyring was opened, by whichever program: it never asks the user to.
///
/// A thread follows the D-Bus signals of the Secret Service, from the first read that failed: a program whose keyring is
/// open needs none.
///
/// See [Secret Service](https://specifications.freedesktop.org/secret-service-spec/latest/).
final class KeyringWatch: Sendable {
  static let shared = KeyringWatch()

  private let opened = Broadcast<Void>()
  private let isFollowing = Atomic(false)

  /// An element each time after the keyring was opened, once ``begin()`` was called.
  func openings() -> AsyncStream<Void> { opened.values(keeping: 1) }

  /// Begins to follow the keyring, unless that has begun.
  func begin() {
    guard SessionBus.isNamed, let library = Libsecret.shared, !isFollowing.exchange(true, ordering: .relaxed) else {
      return
    }
    Thread.detachNewThread { [self] in
      follow(library)
      isFollowing.store(false, ordering: .relaxed)
    }
  }

  /// Returns when the bus is gone.
  private func follow(_ library: Libsecret) {
    let context = unsafe Handle(library.newContext()!) { unsafe library.unrefContext($0) }
    unsafe library.pushContext(context.pointer)
    defer { unsafe library.popContext(context.pointer) }
    guard let bus = library.bus() else { return }
    library.followKeyring(on: bus)
    let keyring = SecretServiceStorage(service: "", limit: .seconds(10), promptTimeout: nil)
    var wasOpen = false
    // The first time right away: it may have been opened since the read that failed.
    repeat {
      let isOpen = keyring.isOpen
      if isOpen, !wasOpen { opened.send(()) }
      wasOpen = isOpen
      unsafe _ = library.iterate(context.pointer, 1)
    } while unsafe library.isConnectionClosed(bus.pointer) == 0
  }
}

extension Libsecret {
  // G_BUS_TYPE_SESSION; G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, …_MESSAGE_BUS_CONNECTION
  private static let session: CInt = 2
  private static let client: CInt = 1 << 0 | 1 << 3

  /// A separate connection: GLib ends the process when the one that it shares is closed.
  fileprivate func bus() -> Handle? {
    guard let address = addressOfBus(Self.session, nil, nil) else { return nil }
    defer { unsafe freeText(address) }
    return unsafe connectToBus(address, Self.client, nil, nil, nil).map { unsafe owned($0) }
  }

  /// Has the context of this thread woken when a collection is locked or unlocked, and when the service comes or goes.
  fileprivate func followKeyring(on bus: Handle) {
    let service = "org.freedesktop.secrets"
    let wake: SignalCallback = { _, _, _, _, _, _, _ in }
    _ = unsafe subscribe(
      bus.pointer, service, "org.freedesktop.DBus.Properties", "PropertiesChanged", nil,
      "org.freedesktop.Secret.Collection", 0, wake, nil, nil)
    _ = unsafe subscribe(
      bus.pointer, service, "org.freedesktop.Secret.Service", "CollectionChanged", nil, nil, 0, wake, nil, nil)
    _ = unsafe subscribe(
      bus.pointer, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", nil, service, 0, wake, nil, nil)
  }
}

extension SecretServiceStorage: UnlockSignalingStorage {
  package func unlocks() -> AsyncStream<Void>? { KeyringWatch.shared.openings() }
}
#endif
