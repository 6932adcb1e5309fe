import AuthenticationKit

extension Profile {
  /// Refuses to replace the session of an account without a name, before anything is asked or sent: nothing would lead
  /// back to it.
  func checkNothingIsLost(in folder: ProfileFolder, options: ProfileOptions, console: Console) throws {
    guard let opened = try? OpenProfile(self, in: folder, options: options, console: console),
      let stored = try? opened.store.read()
    else { return }
    try SignOutLoss.check(stored.session?.user, named: nil)
  }
}
