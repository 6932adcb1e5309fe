import AuthenticationData
import AuthenticationDomain
import Foundation

/// This device, as a pool that remembers devices knows it for one user.
struct CognitoDevice: Codable, Sendable, Equatable {
  let key: String
  let group: String
  let password: String

  var identity: SRPExchange.Identity { .init(realm: group, name: key) }
}

/// Keeps the remembered devices in secure storage, by the names of their user: the service's, under which it asks for a
/// device, and each one that was typed, under which a sign-in begins. A device that cannot be read or stored counts as
/// not remembered: then the pool asks for another factor.
actor CognitoDevices {
  private static let key = "cognito-devices"

  private let storage: any SecureStorage
  private let executor: any SerialExecutor = BlockingExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ storage: any SecureStorage) { self.storage = storage }

  func device(of userName: String) -> CognitoDevice? { devices[userName] }

  func remember(_ device: CognitoDevice, of userNames: [String]) {
    change { devices in
      for name in userNames { devices[name] = device }
    }
  }

  func forget(_ device: CognitoDevice) { change { $0 = $0.filter { $0.value.key != device.key } } }

  private func change(_ change: (inout [String: CognitoDevice]) -> Void) {
    let known = devices
    var devices = known
    change(&devices)
    if devices == known { return }
    if let data = try? JSONEncoder().encode(devices) { try? storage.write(data, for: Self.key) }
  }

  private var devices: [String: CognitoDevice] {
    guard let data = try? storage.read(Self.key) else { return [:] }
    return (try? BoundedJSON.decode([String: CognitoDevice].self, from: data)) ?? [:]
  }
}

/// Devices that the pool remembers.
extension CognitoAuthProvider {
  /// Answers a step about a device. One that the pool no longer knows must not stand in the way of the next sign-in.
  func respond(
    to challenge: String, _ flow: CognitoFlow, _ answers: JSONBody, _ session: String?
  ) async throws(AuthenticationError) -> VendorResponse {
    do throws(AuthenticationError) {
      return try await service.respond(to: challenge, in: flow, answers, session: session)
    } catch {
      guard error.disposition != .transient else { throw error }
      if let device = flow.device { await devices.forget(device) }
      throw error == .clientRejected || error == .invalidCredentials ? .signInExpired : error
    }
  }

  /// Has the pool remember this device; if it does not, the sign-in is as good.
  func confirm(_ metadata: JSONMembers, in session: AuthSession, of userNames: [String]) async {
    guard let key = metadata["DeviceKey"], let group = metadata["DeviceGroupKey"] else { return }
    let device = CognitoDevice(key: key, group: group, password: Data(randomBytes(40)).base64EncodedString())
    let salt = randomBytes(16)
    let verifier = await verifier(of: device, salt)
    let numbers = [verifier, salt].map { Data(SRPNumber.padded($0)).base64EncodedString() }
    do throws(AuthenticationError) {
      try await service.call(
        "ConfirmDevice", in: session,
        [
          "DeviceKey": key, "DeviceSecretVerifierConfig": ["PasswordVerifier": numbers[0], "Salt": numbers[1]],
        ])
      await devices.remember(device, of: userNames)
    } catch {}
  }

  @concurrent private func verifier(of device: CognitoDevice, _ salt: [UInt8]) async -> [UInt8] {
    SRPExchange.verifier(of: device.identity, password: device.password, salt: salt)
  }
}
