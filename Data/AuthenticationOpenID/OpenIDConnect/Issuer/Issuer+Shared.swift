import AuthenticationData
import AuthenticationDomain
import Synchronization

extension Issuer {
  private struct Key: Hashable {
    let identifier: String
    let endpoints: [OpenIDClient.Endpoint: String]
    let publishesMetadata: Bool
    let transport: ObjectIdentifier
  }

  private struct Place {
    weak var issuer: Issuer?
  }

  private static let places = Mutex<[Key: Place]>([:])

  /// The one issuer of this name for all that share a transport and the machine's clock, so that a process fetches its
  /// documents once while they are fresh; for a transport without an identity, or another clock, a separate one.
  static func shared(
    _ identifier: String, endpoints: [OpenIDClient.Endpoint: String] = [:], publishesMetadata: Bool = true,
    in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) -> Issuer {
    let made = try Issuer(
      identifier, client: environment.httpClient, clock: environment.clock, endpoints: endpoints,
      publishesMetadata: publishesMetadata)
    guard environment.clock is SystemClock, type(of: environment.transport) is AnyClass else { return made }
    // No other object can get this identity while an issuer lives: its client retains the transport.
    let key = Key(
      identifier: identifier, endpoints: endpoints, publishesMetadata: publishesMetadata,
      transport: ObjectIdentifier(environment.transport as AnyObject))
    return places.withLock { places in
      if let issuer = places[key]?.issuer { return issuer }
      places = places.filter { $0.value.issuer != nil }
      places[key] = Place(issuer: made)
      return made
    }
  }
}
