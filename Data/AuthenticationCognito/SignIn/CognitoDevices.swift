import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// This device, as a pool that remembers devices knows it for one user.
struct CognitoDevice: Codable, Sendable {
  let key: String
  let group: String
  let password: String

  var identity: SRPExchange.Identity { .init(realm: group, name: key) }
}

/// Keeps the remembered devices in secure storage, by user. What cannot be read or stored counts as not remembered:
/// then the pool asks for another factor.
actor CognitoDevices {
  private static let key = "cognito-devices"

  private let storage: any SecureStorage
  private let executor: any SerialExecutor = BlockingExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ storage: any SecureStorage) { self.storage = storage }

  func device(of userName: String) -> CognitoDevice? { devices[userName] }

  func remember(_ device: CognitoDevice?, of userName: String) {
    var devices = devices
    devices[userName] = device
    if let data = try? JSONEncoder().encode(devices) { try? storage.write(data, for: Self.key) }
  }

  private var devices: [String: CognitoDevice] {
    guard let data = try? storage.read(Self.key) else { return [:] }
    return (try? BoundedJSON.decode([String: CognitoDevice].self, from: data)) ?? [:]
  }
}
