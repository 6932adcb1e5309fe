import AuthenticationKit

/// A user as `--json` prints one.
struct UserOutput: Encodable {
  let id: String
  let name: String?
  let email: String?

  init(_ user: User) {
    id = user.id
    name = user.name
    email = user.email
  }
}
