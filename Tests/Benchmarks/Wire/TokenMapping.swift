import AuthenticationData
import AuthenticationDomain
import Foundation

/// Decoding and mapping the answer of a token endpoint, against JSONDecoder alone.
enum TokenMapping {
  private struct Flat: Decodable {
    let accessToken: String
    let idToken: String?
    let refreshToken: String?
    let expiresIn: Double?
  }

  static func figures() async throws -> [Figure] {
    let body = TokenAnswer.json(
      access: Samples.token("access", length: 740), refresh: Samples.token("refresh", length: 60))
    let response = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
    let receivedAt = Date()
    let ours = Subject(500) { count in
      for _ in 0..<count { blackHole(try APITokenResponseMapper.map(response, receivedAt: receivedAt)) }
    }
    let bare = Subject(500) { count in
      for _ in 0..<count { blackHole(try JSONDecoder().decode(Flat.self, from: body)) }
    }
    let times = try await Timing.compare(rounds: 101, ours, bare)
    let allocations = try await Allocations.perOperation(ours.operations, ours.body)
    return [
      Figure(
        "decode and map a token response, \(body.count) bytes", times.ours / 1_000, .microseconds,
        allocations: allocations, allocationsAtMost: 25),
      Figure(
        "  against JSONDecoder into a flat struct (\((times.other / 1_000).short) µs)", times.ratio, .times,
        atMost: 1.15),
    ]
  }
}
