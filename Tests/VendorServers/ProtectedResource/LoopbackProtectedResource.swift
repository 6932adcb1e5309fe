#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationTestingServers
public import Foundation

/// A real HTTP server on 127.0.0.1 with a protected resource (RFC 9728) and its authorization server (RFC 8414), at which
/// clients register themselves (RFC 7591, RFC 7592).
///
/// ```swift
/// let notes = LoopbackProtectedResource()
/// try await notes.start()
/// let address = notes.address.absoluteString
/// let root = try MainRoot(.protectedResource(address, ProtectedResourceClient(name: "Notes")))
/// ```
public final class LoopbackProtectedResource: LoopbackVendor {
  let dialect: AwaitableState<ProtectedResourceDialect>
  public let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(ProtectedResourceDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackProtectedResource {
  /// What the servers offer; can be changed while they run.
  public struct Options: Sendable {
    /// Of the resource.
    public var path = "/mcp"
    /// Whether a refused request says where the metadata is.
    public var namesMetadata = true
    /// Whether there is metadata of the resource.
    public var hasMetadata = true
    /// The scopes that a refused request names; nil for none.
    public var challengedScopes: [String]?
    /// What the scope for writing is called: without it a POST is refused.
    public var writingScope = "notes.write"
    /// Whether clients can register.
    public var registersClients = true
    /// Whether an https URL of a document is taken as a client's id; the document itself is not fetched.
    public var takesMetadataDocuments = false
    /// Whether users can sign in with a code on another device.
    public var offersDevice = false
    /// How clients authenticate that register without a wish of their own.
    public var authenticationMethods: [String]? = ["none"]
    /// How long a new secret is good; nil for ever.
    public var secretLifetime: Duration?
    /// Members that replace those of the resource's metadata; nil removes one.
    public var resourceMetadata: [String: JSONValue?] = [:]
    /// The same of the authorization server's metadata.
    public var serverMetadata: [String: JSONValue?] = [:]
    /// The same of the response to a registration.
    public var registration: [String: JSONValue?] = [:]
    /// Whom the access tokens are for; nil for opaque ones.
    public var audience: String?
    /// How long an access token lasts.
    public var accessTokenLifetime: Duration = .seconds(300)

    /// The defaults.
    public init() {}
  }

  /// Of the resource.
  public var address: URL { URL(string: dialect.value.address) ?? URL(filePath: "/") }

  /// What the servers offer from now on.
  public var options: Options {
    get { dialect.value.options }
    set { dialect.update { $0.options = newValue } }
  }

  /// The client ids that are registered now.
  public var clients: [String] { dialect.value.clients.keys.sorted() }

  /// Forgets every client, as a server does that kept them in memory only.
  public func forgetClients() { dialect.update { $0.clients = [:] } }

  /// Gives every client another secret, which only the registration tells.
  public func replaceSecrets() { dialect.update { $0.replaceSecrets() } }

  /// The user types the codes of all devices elsewhere, and agrees.
  public func approveDevice() { dialect.update { $0.issuer.state.decideDevices(.approves(.ada)) } }

  /// Ends every access token.
  public func revokeAllAccessTokens() { dialect.update { $0.issuer.state.accessTokens = [:] } }
}
#endif
