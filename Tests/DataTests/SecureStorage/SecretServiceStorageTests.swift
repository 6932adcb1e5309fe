#if os(Linux)
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

/// Where there is no Secret Service. Its tests on a real one are in `Tests/KeyringTests`.
@Suite struct SecretServiceStorageTests {
  @Test func `without a bus each call is unavailable, and nothing is started or looked up`() async {
    await #expect(processExitsWith: .success) {
      NamedBus.change(to: nil)
      let storage = SecretServiceStorage(service: "app")
      #expect(!storage.isOpen)
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("key") }
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(Data([1]), for: "key") }
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("key") }
      let loaded = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      #expect(!loaded.contains("libsecret"))
    }
  }

  @Test(arguments: ["unix:path=/nowhere/bus", "tcp:host=127.0.0.1,port=1", "nonsense", ""])
  func `a bus that is not where it is said to be is unavailable`(address: String) async {
    await #expect(processExitsWith: .success) { [address = address as String] in
      NamedBus.change(to: address)
      #expect(throws: AuthenticationError(.storageUnavailable, "")) {
        try SecretServiceStorage(service: "app").read("key")
      }
    }
  }

  @Test func `D-Bus can carry the attribute that a secret is filed under, and no two keys share one`() {
    let keys = ["", "a", "a\0b", "a%00b", "a%2500b", "ä"]
    let filed = keys.map { SecretServiceItem(service: "app", key: $0).attributes["key"] ?? "" }
    #expect(Set(filed).count == keys.count)
    #expect(!filed.contains { $0.contains("\0") })
  }
}

private enum NamedBus {
  /// For the whole process.
  static func change(to address: String?) {
    unsafe unsetenv("XDG_RUNTIME_DIR")
    if let address {
      unsafe setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
    } else {
      unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
    }
  }
}
#endif
