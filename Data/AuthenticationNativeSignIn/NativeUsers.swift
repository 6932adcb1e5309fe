import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// One of a vendor's people, as this device knows them.
struct NativeUser: Hashable, Sendable {
  let vendorUserID: String
  /// What the vendor told once; nil after the provider has accepted it.
  var name: UserName?
  var email: String?
  /// The user's id at the provider; nil until it has accepted them.
  var account: String?

  init(vendorUserID: String, name: UserName? = nil, email: String? = nil, account: String? = nil) {
    self.vendorUserID = vendorUserID
    self.name = name
    self.email = email
    self.account = account
  }

  init?(_ response: NativeSignInResponse) {
    guard let id = response.vendorUserID else { return nil }
    self.init(vendorUserID: id, name: response.name, email: response.email)
  }
}

/// Keeps what a vendor tells once, in secure storage, until the provider has accepted it, and then whose account it is.
///
/// What cannot be read or written now is left as it is: the sign-in goes on without it.
final class NativeUsers: Sendable {
  /// The latest people; who was asked earlier than all of them is forgotten.
  private static let capacity = 16

  private let storage: any SecureStorage
  private let key: String
  private let turn = Mutex(())

  init(_ storage: any SecureStorage, of method: SignInMethod) {
    self.storage = storage
    key = "native \(method.id)"
  }

  /// Stores what the vendor told, and makes this user the latest.
  ///
  /// - Returns: the user, with what was told earlier; nil if the vendor did not say who it is, or nothing can be read.
  func remember(_ response: NativeSignInResponse) -> NativeUser? {
    guard var person = NativeUser(response) else { return nil }
    return change { people in
      if let index = people.firstIndex(where: { $0.vendorUserID == person.vendorUserID }) {
        let known = people.remove(at: index)
        person.name = person.name ?? known.name
        person.email = person.email ?? known.email
        person.account = known.account
      }
      people.append(person)
      people.removeFirst(max(people.count - Self.capacity, 0))
      return person
    }
  }

  /// The provider has accepted this user, or the latest one if it is nil.
  func accept(_ vendorUserID: String?, as user: User) {
    change { people in
      guard let index = people.lastIndex(where: { $0.vendorUserID == vendorUserID ?? $0.vendorUserID }) else { return }
      people[index] = NativeUser(vendorUserID: people[index].vendorUserID, account: user.id)
    }
  }

  /// Who this account is at the vendor; nil if that is not known.
  func vendorUserID(of user: User) -> String? { read()?.last { $0.account == user.id }?.vendorUserID }

  func forget(_ user: User) { change { people in people.removeAll { $0.account == user.id } } }

  @discardableResult
  private func change<Value: Sendable>(_ change: (inout [NativeUser]) -> Value) -> Value? {
    turn.withLock { _ -> Value? in
      guard let before = read() else { return nil }
      var people = before
      let value = change(&people)
      if people.isEmpty {
        if !before.isEmpty { try? storage.delete(key) }
      } else if people != before {
        try? storage.write(StoredNativeUsers.encode(people), for: key)
      }
      return value
    }
  }

  /// Nil if the storage cannot be read; what is damaged counts as empty.
  private func read() -> [NativeUser]? {
    do throws(AuthenticationError) {
      return try storage.read(key).map { StoredNativeUsers.decode($0) ?? [] } ?? []
    } catch {
      return nil
    }
  }
}

/// The stored form of a vendor's people, in the order in which they were asked.
enum StoredNativeUsers {
  private static let heading = "AuthenticationKit native 1"

  static func encode(_ people: [NativeUser]) -> Data {
    var writer = StoredFields.Writer(heading: heading)
    for person in people {
      writer.add("person", person.vendorUserID)
      writer.add("given", person.name?.given)
      writer.add("family", person.name?.family)
      writer.add("email", person.email)
      writer.add("account", person.account)
    }
    return writer.finished()
  }

  /// Nil for data that is damaged or of a later version.
  static func decode(_ data: Data) -> [NativeUser]? {
    guard var reader = StoredFields.Reader(data, heading: heading) else { return nil }
    var people: [NativeUser] = []
    while let (name, value) = reader.next() {
      if name == "person" {
        people.append(NativeUser(vendorUserID: value))
        continue
      }
      guard var person = people.popLast() else { return nil }
      switch name {
      case "given": person.name = UserName(given: value, family: nil)
      case "family": person.name = UserName(given: person.name?.given, family: value)
      case "email": person.email = value
      case "account": person.account = value
      default: break
      }
      people.append(person)
    }
    return reader.isAtEnd ? people : nil
  }
}
