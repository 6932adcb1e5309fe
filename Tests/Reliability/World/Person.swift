import AuthenticationTesting

/// Who can sign in at the server.
struct Person {
  let password: String

  init(_ name: String) {
    let account: LoopbackIdentityServer.Account = name == "ada" ? .ada : .grace
    password = account.password
  }
}
