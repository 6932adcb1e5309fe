import ArgumentParser
import AuthenticationKit
import AuthenticationResources
import Foundation

/// The folder of one profile: its settings, and its session where that is kept in a file.
struct ProfileFolder {
  /// Of the command that runs, which reports to the user on the console.
  let options: ProfileOptions
  let console: Console
  private let url: URL
  private let key = "profile"

  private var name: String { options.profile }
  private var files: FileStorage { FileStorage(folder: url) }

  init(_ options: ProfileOptions, _ console: Console) {
    self.options = options
    self.console = console
    url = Self.home.appending(path: "profiles/\(options.profile)")
  }

  /// `AUTHCTL_HOME`, or the platform's folder for state.
  private static var home: URL {
    let environment = ProcessInfo.processInfo.environment
    if let home = environment["AUTHCTL_HOME"], !home.isEmpty { return URL(filePath: home) }
    #if canImport(Darwin)
    return URL.userHome.appending(path: "Library/Application Support/authctl")
    #else
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return URL(filePath: "\(state)/authctl") }
    return URL.userHome.appending(path: ".local/state/authctl")
    #endif
  }

  /// The profile of a command that names none.
  static let defaultName = "default"

  /// The profiles that were logged in with, in order.
  static var names: [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: home.appending(path: "profiles").path)) ?? []
    return folders.filter { (try? ProfileOptions.parse(["--profile", $0])) != nil }.sorted()
  }

  func load() throws(AuthenticationError) -> Profile? {
    guard let data = try files.read(key) else { return nil }
    guard let profile = try? BoundedJSON.decode(Profile.self, from: data) else {
      throw AuthenticationError(
        .storageCorrupt, "The settings of profile '\(name)' cannot be read.", suggestion: "Log in again.")
    }
    return profile
  }

  /// The profile that `login` saved; throws ``AuthenticationError/notSignedIn`` where there is none.
  func saved() throws(AuthenticationError) -> Profile {
    guard var profile = try load() else { throw .notSignedIn }
    profile.storage = options.storage ?? profile.storage
    return profile
  }

  /// As ``load()``, for a command that replaces the settings: nil, too, where they cannot be read; the latest copy of
  /// those is kept.
  func loadSettingAside() throws(AuthenticationError) -> Profile? {
    do {
      return try load()
    } catch {
      guard error == .storageCorrupt else { throw error }
      // A file that is too large to be read gets another name when it is replaced.
      guard let data = try? files.read(key) else { return nil }
      guard files.setAside(data, of: key) != nil else { throw error }
      return nil
    }
  }

  func save(_ profile: Profile) throws(AuthenticationError) {
    guard let data = try? JSONEncoder().encode(profile) else {
      throw AuthenticationError(.storageUnavailable, "The settings of profile '\(name)' cannot be written as JSON.")
    }
    try files.write(data, for: key)
  }

  /// Throws where the settings or a session could not be saved now.
  func checkSaving(_ kind: StorageKind) throws(AuthenticationError) {
    try StorageLocation.files(in: url).checkSaving()
    if kind != .file { try storage(kind).checkSaving() }
  }

  /// Where a session is kept that takes the place of an earlier one.
  func storageKind(replacing old: Profile?) -> StorageKind {
    options.storage ?? old?.storage ?? .best(telling: console)
  }

  func storage(_ kind: StorageKind) throws(AuthenticationError) -> StorageLocation {
    if kind == .file { return .files(in: url) }
    #if os(Linux)
    if kind == .secretService { return .secretService("authctl", locksIn: url) }
    #endif
    return .secure(try secrets(kind), key: "session.\(name)")
  }

  func secrets(_ kind: StorageKind) throws(AuthenticationError) -> any SecureStorage {
    #if canImport(Security)
    if kind == .keychain { return KeychainStorage(service: "authctl") }
    #elseif os(Linux)
    if kind == .secretService { return SecretServiceStorage(service: "authctl", folder: url) }
    #endif
    guard kind == .file else {
      throw AuthenticationError(
        .storageUnavailable, "There is no \(kind.rawValue) here.", suggestion: "Use --storage file.")
    }
    return files
  }
}

/// The login that has not ended: its options, kept for the command that cleans up where its process is killed. Its
/// client's secret is kept where secrets are.
extension ProfileFolder {
  private var beginning: String { "login" }

  /// Notes a login, in place of an earlier one that never came to its end.
  func begin(_ profile: Profile, secret: Secret?) async throws {
    await forgetBegunLogin()
    guard let data = try? JSONEncoder().encode(profile) else { return }
    try files.write(data, for: beginning)
    if let secret { try save(secret, for: profile, begun: true) }
  }

  /// The login that waits for its next step, or was killed; nil if there is none.
  func begunLogin() -> Profile? {
    (try? files.read(beginning)).flatMap { try? BoundedJSON.decode(Profile.self, from: $0) }
  }

  /// The login is over: it left nothing.
  func endLogin() {
    if let profile = begunLogin() { try? forgetClientSecret(of: profile, begun: true) }
    try? files.delete(beginning)
  }

  /// Forgets a login that never came to its end, with the verifier it left.
  func forgetBegunLogin() async {
    guard let profile = begunLogin() else { return endLogin() }
    if let opened = try? OpenProfile(profile, in: self) {
      (opened.root.provider as? any ResumingAuthProvider)?.forgetBegunSignIns()
      await opened.root.attempts.forgetPending()
    }
    endLogin()
  }
}

/// The secret of a profile's client, which is kept where the session is. With `begun` that of a login which has not
/// ended: its next step takes it, too, and the one of an earlier session stays.
extension ProfileFolder {
  /// Nil where the client has none, or none any more after `logout`.
  func clientSecret(of profile: Profile, begun: Bool = false) throws(AuthenticationError) -> Secret? {
    guard profile.hasClientSecret else { return nil }
    return try secrets(profile.storage).read(key(profile, begun)).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  func save(_ secret: Secret?, for profile: Profile, begun: Bool = false) throws(AuthenticationError) {
    guard let secret else { return try secrets(profile.storage).delete(key(profile, begun)) }
    try secrets(profile.storage).write(Data(secret.reveal().utf8), for: key(profile, begun))
  }

  func forgetClientSecret(of profile: Profile, begun: Bool = false) throws(AuthenticationError) {
    if profile.hasClientSecret { try save(nil, for: profile, begun: begun) }
  }

  private func key(_ profile: Profile, _ isBegun: Bool) -> String {
    "\(isBegun ? "begun-" : "")client-secret.\(name).\(profile.realm)"
  }
}

extension ProfileFolder {
  /// The registrations of this program in each storage that a login of the profile may have used, without those where
  /// there is none.
  ///
  /// - Parameter profile: nil if no login has succeeded.
  func registrations(of profile: Profile?) -> [RegisteredClients] {
    Set([profile?.storage, options.storage, .file, .best].compactMap(\.self)).sorted { $0.rawValue < $1.rawValue }
      .compactMap { try? storage($0).registrations }.filter { !$0.isEmpty }
  }
}

extension StorageLocation {
  /// How this program is registered at the authorization servers of protected resources, in all realms.
  var registrations: RegisteredClients {
    let place = realm("registrations")
    return RegisteredClients(storage: place.secrets, lock: place.lock)
  }

  /// Throws where no session could be stored now.
  ///
  /// Saves a stand-in in a separate realm: the session, rewritten, could undo another process's change. It
  /// is as large as a session gets, and one that is being refreshed, so that a disk which is nearly full is noticed, and
  /// a process that has too few file descriptors left.
  func checkSaving() throws(AuthenticationError) {
    let store = realm("probe").store
    let token = try AccessToken(Secret(String(repeating: "-", count: 1 << 16)), receivedAt: Date(), lifetime: nil)
    var record = SessionRecord(session: AuthSession(user: User(id: "probe"), tokens: SessionTokens(access: token)))
    record.refreshJournal = RefreshJournalEntry(begunAt: Date(), sends: 1)
    try store.save(record)
    try store.delete()
  }
}

/// Refreshes only a session that can be stored: this process ends, and a rotated refresh token that it lost would end
/// the session.
struct SavingFirstProvider: ResumingAuthProvider, ResourceAuthProvider, WrappingAuthProvider {
  let upstream: any RemoteAuthProvider
  let storage: StorageLocation
  private let ends: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation

  init(upstream: any RemoteAuthProvider, storage: StorageLocation) {
    self.upstream = upstream
    self.storage = storage
    (ends, end) = AsyncStream.makeStream()
  }

  var methods: [SignInMethod] { upstream.methods }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    defer { end.finish() }
    return try await upstream.signIn(request)
  }

  /// Waits for a sign-in that its caller has left: only then its page and its verifier are gone.
  func signInEnded(within limit: Duration) async {
    let alarm = Task { [end] in
      try await Task.sleep(for: limit)
      end.finish()
    }
    for await _ in ends {}
    alarm.cancel()
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try storage.checkSaving()
    return try await upstream.refresh(session)
  }

  func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    try storage.checkSaving()
    return try await upstream.tokens(of: session, for: resource)
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }

  func forgetBegunSignIns() { (upstream as? any ResumingAuthProvider)?.forgetBegunSignIns() }
}

extension AuthProviderConfiguration {
  func savingFirst(in storage: StorageLocation) -> Self {
    Self(name: name, realm: realm) { environment throws(AuthenticationError) in
      let product = try make(environment)
      var saving = Product(
        provider: SavingFirstProvider(upstream: product.provider, storage: storage),
        allowedOrigins: product.allowedOrigins, proof: product.proof, processes: product.processes)
      saving.path = product.path
      return saving
    }
  }
}
