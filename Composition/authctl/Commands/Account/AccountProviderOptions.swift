import ArgumentParser

/// Where the account of who is not signed in is.
struct AccountProviderOptions: ParsableArguments {
  @Option(help: "The provider: api. By default the profile's.")
  var provider: ProviderKind?

  @Option(help: "api: where the backend is, like https://api.example.com.")
  var baseURL: String?

  /// - Parameter old: the profile as it is; nil if it is new.
  func profile(_ old: Profile?, _ options: ProfileOptions, _ console: Console) throws -> Profile {
    if let baseURL {
      var profile = Profile(
        provider: (provider ?? .api).rawValue, baseURL: baseURL,
        storage: options.storage ?? old?.storage ?? .best(telling: console))
      if let old, old.realm == profile.realm { profile.allowedOrigins = old.allowedOrigins }
      return profile
    }
    guard provider == nil, var profile = old else {
      throw ValidationError("Where the account is, is missing: --provider api with --base-url.")
    }
    profile.storage = options.storage ?? profile.storage
    return profile
  }
}
