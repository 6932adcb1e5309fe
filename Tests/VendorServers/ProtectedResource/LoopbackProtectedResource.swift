#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationTestingServers
package import Foundation

/// A real HTTP server on 127.0.0.1 with a protected resource (RFC 9728) and its authorization server (RFC 8414), at which
/// clients register themselves (RFC 7591, RFC 7592).
///
/// ```swift
/// let notes = LoopbackProtectedResource()
/// try await notes.start()
/// let address = notes.address.absoluteString
/// let root = try MainRoot(.protectedResource(address, ProtectedResourceClient(name: "Notes")))
/// ```
package final class LoopbackProtectedResource: LoopbackVendor {
  let dialect: AwaitableState<ProtectedResourceDialect>
  package let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(ProtectedResourceDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackProtectedResource {
  /// The abilities of the servers; can be changed while they run.
  package struct Options: Sendable {
    /// Of the resource.
    package var path = "/mcp"
    /// Whether a refused request says where the metadata is.
    package var namesMetadata = true
    /// Whether there is metadata of the resource.
    package var hasMetadata = true
    /// The scopes that a refused request names; nil for none.
    package var challengedScopes: [String]?
    /// The name of the scope for writing: without it a POST is refused.
    package var writingScope = "notes.write"
    /// Whether clients can register.
    package var registersClients = true
    /// Whether an https URL of a document is taken as a client's id; the document itself is not fetched.
    package var takesMetadataDocuments = false
    /// Whether users can sign in with a code on another device.
    package var offersDevice = false
    /// How clients authenticate that register without a preference.
    package var authenticationMethods: [String]? = ["none"]
    /// How long a new secret is good; nil for ever.
    package var secretLifetime: Duration?
    /// Members that replace those of the resource's metadata; nil removes one.
    package var resourceMetadata: [String: JSONValue?] = [:]
    /// The same of the authorization server's metadata.
    package var serverMetadata: [String: JSONValue?] = [:]
    /// The same of the response to a registration.
    package var registration: [String: JSONValue?] = [:]
    /// Whom the access tokens are for; nil for opaque ones.
    package var audience: String?
    /// How long an access token lasts.
    package var accessTokenLifetime: Duration = .seconds(300)

    /// The defaults.
    package init() {}
  }

  /// Of the resource.
  package var address: URL { URL(string: dialect.value.address) ?? URL(filePath: "/") }

  /// The abilities of the servers from now on.
  package var options: Options {
    get { dialect.value.options }
    set { dialect.update { $0.options = newValue } }
  }

  /// The client ids that are registered now.
  package var clients: [String] { dialect.value.clients.keys.sorted() }

  /// Forgets every client, as a server does that kept them in memory only.
  package func forgetClients() { dialect.update { $0.clients = [:] } }

  /// Gives every client another secret, which only the registration tells.
  package func replaceSecrets() { dialect.update { $0.replaceSecrets() } }

  /// The user types the codes of all devices elsewhere, and agrees.
  package func approveDevice() { dialect.update { $0.issuer.state.decideDevices(.approves(.ada)) } }

  /// Ends every access token.
  package func revokeAllAccessTokens() { dialect.update { $0.issuer.state.accessTokens = [:] } }
}
#endif
