import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known while one call goes from step to step.
struct CognitoFlow: Sendable {
  /// As typed, then as the service says.
  var userName: String
  var password: Secret?
  var exchange: SRPExchange?
  /// The device that is being proved.
  var device: CognitoDevice?
  /// The way without a password that was asked for.
  var preferred: String?
}

extension CognitoAuthProvider {
  /// Answers what needs no person, until there is a session or something to ask.
  func proceed(
    with flow: CognitoFlow, _ first: CognitoResponse
  ) async throws(AuthenticationError) -> SignInOutcome {
    var flow = flow
    var response = first
    // No pool asks for more steps in a row.
    for _ in 0..<6 {
      guard let name = response.members["ChallengeName"] else {
        return .session(try await session(from: response, flow))
      }
      let parameters = response.parameters
      flow.userName = parameters["USERNAME"] ?? parameters["USER_ID_FOR_SRP"] ?? flow.userName
      let session = response.members["Session"]
      switch name {
      case "PASSWORD_VERIFIER" where flow.exchange != nil && flow.password != nil:
        let identity = SRPExchange.Identity(
          realm: service.pool.name, name: parameters["USER_ID_FOR_SRP"] ?? flow.userName)
        var answers = try await claim(of: identity, flow.password, flow.exchange, response)
        answers["DEVICE_KEY"] = await devices.device(of: flow.userName)?.key
        response = try await service.respond(to: name, for: flow.userName, answers, session: session)
      case "DEVICE_SRP_AUTH":
        flow.device = await devices.device(of: flow.userName)
        guard let device = flow.device else { throw .unknownChallenge(name) }
        let exchange = await newExchange()
        flow.exchange = exchange
        let answers = ["DEVICE_KEY": device.key, "SRP_A": exchange.publicValue]
        response = try await forgettingDevice(of: flow) { () throws(AuthenticationError) in
          try await service.respond(to: name, for: flow.userName, answers, session: session)
        }
      case "DEVICE_PASSWORD_VERIFIER":
        guard let device = flow.device else { throw .unknownChallenge(name) }
        var answers = try await claim(of: device.identity, Secret(device.password), flow.exchange, response)
        answers["DEVICE_KEY"] = device.key
        response = try await forgettingDevice(of: flow) { [answers] () throws(AuthenticationError) in
          try await service.respond(to: name, for: flow.userName, answers, session: session)
        }
      default:
        return .challenge(try await challenge(name, response, flow))
      }
    }
    throw .unexpectedAnswer
  }

  /// A new exchange, computed beside the caller's actor: it takes some milliseconds.
  @concurrent func newExchange() async -> SRPExchange { SRPExchange(random: randomBytes(32)) }

  /// Proves a password to the server, with the server's own time: a wrong clock would look like a wrong password.
  @concurrent private func claim(
    of identity: SRPExchange.Identity, _ password: Secret?, _ exchange: SRPExchange?, _ response: CognitoResponse
  ) async throws(AuthenticationError) -> [String: String] {
    let parameters = response.parameters
    let block = try parameters.required("SECRET_BLOCK")
    guard let exchange, let password, let secretBlock = Data(base64Encoded: block),
      let salt = SRPNumber.bytes(hexadecimal: try parameters.required("SALT")),
      let server = SRPNumber.bytes(hexadecimal: try parameters.required("SRP_B")),
      let key = exchange.sessionKey(of: identity, password: password.reveal(), salt: salt, server: server)
    else { throw .unexpectedAnswer }
    let offset = (response.clockOffset ?? .zero) / .seconds(1)
    let timestamp = CognitoTimestamp.text(service.clock.now.addingTimeInterval(offset))
    return [
      "PASSWORD_CLAIM_SECRET_BLOCK": block, "TIMESTAMP": timestamp,
      "PASSWORD_CLAIM_SIGNATURE": SRPExchange.signature(
        of: identity, secretBlock: Array(secretBlock), timestamp: timestamp, key: key),
    ]
  }

  private func challenge(
    _ name: String, _ response: CognitoResponse, _ flow: CognitoFlow
  ) async throws(AuthenticationError) -> Challenge {
    let lifetime = service.pool.challengeLifetime
    let session = response.members["Session"]
    var handle = CognitoHandle(name, of: flow.userName, session: session)
    let canEnrol = CognitoChallengeMapper.texts(in: response.parameters, "MFAS_CAN_SETUP")
    if name == "MFA_SETUP", canEnrol.contains("SOFTWARE_TOKEN_MFA") || canEnrol.isEmpty {
      let enrolment = try await service.call(
        "AssociateSoftwareToken", session.map { ["Session": .string($0)] } ?? [:], .signIn)
      handle = CognitoHandle(name, of: flow.userName, session: enrolment.members["Session"] ?? session)
      handle.choice = "SOFTWARE_TOKEN_MFA"
      return CognitoChallengeMapper.enrolment(
        try enrolment.members.required("SecretCode"), handle, issuer: service.pool.name, lifetime: lifetime)
    }
    // Only what was asked for by name can be asked for again.
    handle.preferred = name == flow.preferred && name != "WEB_AUTHN" ? name : nil
    return try CognitoChallengeMapper.map(name, response, handle, lifetime: lifetime)
  }

  /// The session of a response; if anything is wrong with it, its tokens are revoked.
  private func session(
    from response: CognitoResponse, _ flow: CognitoFlow
  ) async throws(AuthenticationError) -> AuthSession {
    let tokens = try CognitoTokenMapper.tokens(response)
    do throws(AuthenticationError) {
      let session = AuthSession(user: try CognitoTokenMapper.user(tokens), tokens: tokens)
      if let device = response.members.members("AuthenticationResult")?.members("NewDeviceMetadata") {
        await confirm(device, in: session)
      }
      return session
    } catch {
      // In a separate task: a cancelled call could not send the request.
      await Task { try? await revoke(tokens) }.value
      throw error
    }
  }
}
