import ArgumentParser
import AuthenticationKit

extension ProviderOptions {
  /// Where the account of who is not signed in is: by default where the profile's is.
  ///
  /// - Parameter old: the profile as it is; nil if it is new.
  func profile(_ old: Profile?, _ options: ProfileOptions, _ console: Console) throws -> Profile {
    if isUsed {
      var profile = Profile(
        provider: kind.name, settings: settings,
        storage: options.storage ?? old?.storage ?? .best(telling: console))
      if let old, old.realm == profile.realm { profile.allowedOrigins = old.allowedOrigins }
      return profile
    }
    guard var profile = old else {
      throw ValidationError("Where the account is, is missing: --provider with its options, such as --base-url.")
    }
    profile.storage = options.storage ?? profile.storage
    return profile
  }
}
