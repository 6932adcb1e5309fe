import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// A user of a vendor, as this device knows them.
struct NativeUser: Hashable, Sendable {
  let vendorUserID: String
  /// The data that the vendor returns once; nil after the provider has accepted it.
  var name: UserName?
  var email: String?
  /// The user's id at the provider; nil until it has accepted them.
  var account: String?
}

/// Keeps the data that a vendor returns once, in secure storage, until the provider has accepted it, and then the
/// user's account.
///
/// Data that cannot be read or written now is left as it is: the sign-in continues without it.
final class NativeUsers: Sendable {
  /// How many users are kept: the latest.
  private static let capacity = 16

  private let storage: any SecureStorage
  private let key: String
  private let turn = Mutex(())

  init(_ storage: any SecureStorage, of method: SignInMethod) {
    self.storage = storage
    key = "native \(method.id)"
  }

  /// Stores the vendor's data, makes this user the latest, and adds the data that was returned earlier. Does nothing if
  /// the vendor did not identify the user.
  func remember(_ credentials: inout NativeCredentials) {
    guard let id = credentials.vendorUserID else { return }
    var latest = NativeUser(vendorUserID: id, name: credentials.name, email: credentials.email)
    change { users in
      if let index = users.firstIndex(where: { $0.vendorUserID.isSame(as: latest.vendorUserID) }) {
        let known = users.remove(at: index)
        latest.name = latest.name ?? known.name
        latest.email = latest.email ?? known.email
        latest.account = known.account
      }
      users.append(latest)
      users.removeFirst(max(users.count - Self.capacity, 0))
    }
    (credentials.name, credentials.email) = (latest.name, latest.email)
  }

  /// The provider has accepted this user, or the latest one if it is nil.
  func accept(_ vendorUserID: String?, as user: User) {
    change { users in
      guard let index = users.lastIndex(where: { $0.vendorUserID.isSame(as: vendorUserID ?? $0.vendorUserID) }) else {
        return
      }
      users[index] = NativeUser(vendorUserID: users[index].vendorUserID, account: user.id)
    }
  }

  /// The account's user at the vendor; nil if that is not known.
  func vendorUserID(of user: User) -> String? { read()?.last { $0.account.isSame(as: user.id) }?.vendorUserID }

  func forget(_ user: User) { change { users in users.removeAll { $0.account.isSame(as: user.id) } } }

  private func change(_ change: (inout [NativeUser]) -> Void) {
    turn.withLock { _ in
      guard let before = read() else { return }
      var users = before
      change(&users)
      if users.isEmpty {
        if !before.isEmpty { try? storage.delete(key) }
      } else if users != before {
        try? storage.write(StoredNativeUsers.encode(users), for: key)
      }
    }
  }

  /// Nil if the storage cannot be read; damaged data counts as empty.
  private func read() -> [NativeUser]? {
    do throws(AuthenticationError) {
      return try storage.read(key).map { StoredNativeUsers.decode($0) ?? [] } ?? []
    } catch {
      return nil
    }
  }
}

/// The stored form of a vendor's users, in the order in which they were asked.
enum StoredNativeUsers {
  private static let heading = "AuthenticationKit native 1"

  static func encode(_ users: [NativeUser]) -> Data {
    var writer = StoredFields.Writer(heading: heading)
    for user in users {
      writer.add("person", user.vendorUserID)
      writer.add("given", user.name?.given)
      writer.add("family", user.name?.family)
      writer.add("email", user.email)
      writer.add("account", user.account)
    }
    return writer.finished()
  }

  /// Nil for data that is damaged or of a later version.
  static func decode(_ data: Data) -> [NativeUser]? {
    guard let fields = StoredFields.read(data, heading: heading) else { return nil }
    var users: [NativeUser] = []
    for (name, value) in fields {
      if name == "person" {
        users.append(NativeUser(vendorUserID: value))
        continue
      }
      guard var user = users.popLast() else { return nil }
      switch name {
      case "given": user.name = UserName(given: value, family: nil)
      case "family": user.name = UserName(given: user.name?.given, family: value)
      case "email": user.email = value
      case "account": user.account = value
      default: break
      }
      users.append(user)
    }
    return users
  }
}
