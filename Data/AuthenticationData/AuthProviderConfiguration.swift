public import AuthenticationDomain
public import Foundation

/// Which provider an app signs in with: the one line that changes when the provider does.
///
/// Each provider target adds a static member by extension: `.api(baseURL:)`, `.custom(…)`.
///
/// ```swift
/// extension AuthProviderConfiguration {
///   static func notes(baseURL: URL) -> Self {
///     Self(name: "notes", realm: "notes \(baseURL)") { environment throws(AuthenticationError) in
///       Product(
///         provider: NotesProvider(baseURL, over: environment.httpClient, clock: environment.clock),
///         allowedOrigins: Set([Origin(baseURL)].compactMap { $0 }))
///     }
///   }
/// }
/// ```
public struct AuthProviderConfiguration: Sendable {
  /// The dependencies of a provider; everything is injected.
  public struct Environment: Sendable {
    /// Carries requests to the provider: it retries, follows no redirect, and refuses a body of more than 1 MiB.
    public let httpClient: any HTTPClient
    /// The only source of time.
    public let clock: any AuthenticationClock
    /// Stores the data that a sign-in needs after a relaunch: the secure storage of the session, limited to its realm.
    public let storage: any SecureStorage
    /// The transport below ``httpClient``. Providers with the same transport may share the public documents they fetch.
    package let transport: any HTTPClient
    /// Keeps the other processes that share the storage from refreshing meanwhile; nil if there are none.
    package private(set) var lock: (any SessionLock)?
    /// The resources that get separate access tokens from the same grant: a sign-in asks for all of them.
    public let resources: [ProtectedResource]
    /// Returns `count` unpredictable bytes from the system's generator.
    public let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    /// The arguments of ``AuthProviderConfiguration/make``, which the composition root passes; for a test, fakes.
    public init(
      httpClient: any HTTPClient, clock: any AuthenticationClock, storage: any SecureStorage = InMemoryStorage(),
      transport: (any HTTPClient)? = nil, resources: [ProtectedResource] = [],
      randomBytes: (@Sendable (_ count: Int) -> [UInt8])? = nil
    ) {
      self.httpClient = RememberingHTTPClient(upstream: BoundedHTTPClient(upstream: httpClient))
      self.clock = clock
      self.storage = storage
      self.transport = transport ?? httpClient
      self.resources = resources
      self.randomBytes = randomBytes ?? Self.systemRandomBytes
    }

    /// The same with another client for requests to the provider.
    package func sending(by httpClient: any HTTPClient) -> Self {
      var environment = Self(
        httpClient: httpClient, clock: clock, storage: storage, transport: transport, resources: resources,
        randomBytes: randomBytes)
      environment.lock = lock
      return environment
    }

    /// The same with a lock that other processes respect.
    package func locked(by lock: (any SessionLock)?) -> Self {
      var environment = self
      environment.lock = lock
      return environment
    }

    /// Returns random bytes from the operating system's cryptographically secure generator.
    ///
    /// - Parameter count: the number of bytes.
    @Sendable package static func systemRandomBytes(_ count: Int) -> [UInt8] {
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
  }

  /// A provider, and the origins to which its access tokens may be sent.
  public struct Product: Sendable {
    /// Talks to the service.
    public let provider: any RemoteAuthProvider
    /// The origins to which the provider's access tokens may be sent; if empty, they are sent nowhere.
    public let allowedOrigins: Set<Origin>
    /// The proof that requests carry besides the token; nil for bearer tokens, which need none.
    public let proof: (any RequestProof)?
    /// The processes of the provider's methods, for an app that lists none.
    package let processes: [SignInProcess]
    /// The path at their origins that the tokens are for, with the paths below it; empty for all.
    package var path = ""
    /// Whether a response of theirs other than 401 refuses the token.
    package var refusesToken: @Sendable (HTTPResponse) -> Bool = { _ in false }

    /// The result of ``AuthProviderConfiguration/make``.
    ///
    /// - Parameters:
    ///   - provider: talks to the service.
    ///   - allowedOrigins: where its access tokens may be sent.
    ///   - proof: the proof that requests carry besides the token; nil for bearer tokens.
    ///   - processes: by default a form for each of the provider's methods that needs nothing but a form.
    public init(
      provider: any RemoteAuthProvider, allowedOrigins: Set<Origin>, proof: (any RequestProof)? = nil,
      processes: [SignInProcess]? = nil
    ) {
      self.processes = processes ?? SignInProcess.forms(for: provider.methods)
      self.provider = provider
      self.allowedOrigins = allowedOrigins
      self.proof = proof
    }
  }

  /// Names the provider in logs and status.
  public let name: String
  /// Identifies whose sessions these are. A session is stored under its realm, so that after a change of provider no
  /// provider is sent another one's tokens. Keep the realm if the same service only moves to another address.
  public let realm: String
  /// Builds the provider; throws ``AuthenticationError/invalidConfiguration`` before the provider's first use.
  public let make: @Sendable (Environment) throws(AuthenticationError) -> Product

  /// A provider of any kind.
  ///
  /// - Parameters:
  ///   - name: for logs and status.
  ///   - realm: by default the name.
  ///   - make: called once for each composition root, before any request.
  public init(
    name: String, realm: String? = nil, make: @escaping @Sendable (Environment) throws(AuthenticationError) -> Product
  ) {
    self.name = name
    self.realm = realm ?? name
    self.make = make
  }

  /// A custom provider; its tokens go to `allowedOrigins` only.
  ///
  /// - Parameters:
  ///   - provider: talks to the service.
  ///   - name: for logs and status.
  ///   - realm: by default the name and the provider's type. Give one in an app: sessions are found by their realm, so
  ///     that renaming the type, or wrapping it in another, would sign every user out.
  ///   - allowedOrigins: where its access tokens may be sent; nowhere by default.
  ///   - proof: the proof that requests carry besides the token; nil for bearer tokens.
  public static func custom(
    _ provider: any RemoteAuthProvider, name: String = "custom", realm: String? = nil,
    allowedOrigins: Set<Origin> = [], proof: (any RequestProof)? = nil
  ) -> Self {
    Self(name: name, realm: realm ?? "\(name) \(type(of: provider))") { _ throws(AuthenticationError) in
      Product(provider: provider, allowedOrigins: allowedOrigins, proof: proof)
    }
  }

  /// An app team's own JSON backend below `baseURL`; the tokens may be sent to the origin of that URL.
  ///
  /// A base URL that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - baseURL: an https address, or an http one of this machine; the contract's paths are below it.
  ///   - contract: the backend's paths, bodies and responses.
  ///   - realm: by default the origin. Give one to keep sessions when the backend moves.
  public static func api(baseURL: String, contract: APIContract = .standard, realm: String? = nil) -> Self {
    api(baseURL: baseURL, contract: contract, realm: realm) { $0 }
  }

  /// - Parameter wrap: returns the provider, with the additions of a module.
  package static func api(
    baseURL: String, contract: APIContract, realm: String?,
    wrap: @escaping @Sendable (APIAuthProvider) -> any RemoteAuthProvider
  ) -> Self {
    Self(name: "api", realm: realm ?? "api \(URL(string: baseURL).flatMap(Origin.init)?.description ?? "")") {
      environment throws(AuthenticationError) in
      let base: ServiceURL
      do throws(AuthenticationError) {
        base = try ServiceURL(baseURL, key: "baseURL", allowsPath: true)
      } catch {
        throw .invalidConfiguration(error.message, suggestion: "Write it like https://api.example.com.", of: "baseURL")
      }
      let provider = APIAuthProvider(
        base: base, contract: contract, client: environment.httpClient, clock: environment.clock)
      var product = Product(provider: wrap(provider), allowedOrigins: [base.origin])
      product.refusesToken = contract.refusesAccessToken
      return product
    }
  }

  /// The same for a URL that is already parsed; it is also checked when the app is composed.
  public static func api(baseURL: URL, contract: APIContract = .standard, realm: String? = nil) -> Self {
    api(baseURL: baseURL.absoluteString, contract: contract, realm: realm)
  }
}
