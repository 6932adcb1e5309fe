#if os(Linux)
import AuthenticationDomain

/// One access to the Secret Service, with a connection of its own that is closed afterwards, so that a service which
/// was restarted in between is never used with an old session.
@safe struct SecretServiceAccess {
  private let library: Libsecret
  private let context: MainContext
  private let limit: Duration
  private let service: Handle
  private let schema: Handle
  private let attributes: Handle

  init(to item: SecretServiceItem, within limit: Duration) throws(AuthenticationError) {
    guard SessionBus.isNamed else { throw .sessionBusMissing }
    guard let library = Libsecret.shared else { throw .libsecretMissing }
    context = MainContext(library)
    let service = unsafe try context.call(within: limit) {
      unsafe library.open(library.serviceType(), nil, Self.openSession, $0, $1, $2)
    } finish: {
      unsafe library.opened($0, $1)
    }
    guard let service = unsafe service else { throw .secretServiceFailed(nil) }
    self.library = library
    self.limit = limit
    unsafe self.service = library.owned(service)
    attributes = library.table(item.attributes)
    schema = library.schema(SecretServiceItem.schema, attributes: item.attributes.keys)
  }

  // SECRET_SERVICE_OPEN_SESSION, SECRET_SEARCH_ALL, SECRET_SEARCH_LOAD_SECRETS
  private static let openSession: CInt = 1 << 1
  private static let all: CInt = 1 << 1
  private static let withSecrets: CInt = 1 << 3
}

// MARK: - Items

extension SecretServiceAccess {
  /// Items of every collection, always in the same order.
  func items(withSecrets: Bool) throws(AuthenticationError) -> SecretServiceItems {
    let flags = Self.all | (withSecrets ? Self.withSecrets : 0)
    let list = unsafe try context.call(within: limit) {
      unsafe library.search(service.pointer, schema.pointer, attributes.pointer, flags, $0, $1, $2)
    } finish: {
      unsafe library.searched(service.pointer, $0, $1)
    }
    return unsafe SecretServiceItems(list: list, library)
  }

  /// Replaces the item with the same attributes in the default collection.
  func add(_ text: String, label: String) throws(AuthenticationError) {
    let value = library.value(text)
    _ = unsafe try context.call(within: limit) {
      unsafe library.store(
        service.pointer, schema.pointer, attributes.pointer, nil, label, value.pointer, $0, $1, $2)
    } finish: {
      unsafe library.stored(service.pointer, $0, $1)
    }
  }

  func set(_ text: String, of item: Handle) throws(AuthenticationError) {
    let value = library.value(text)
    _ = unsafe try context.call(within: limit) {
      unsafe library.setSecret(item.pointer, value.pointer, $0, $1, $2)
    } finish: {
      unsafe library.secretSet(item.pointer, $0, $1)
    }
  }

  func delete(_ item: Handle) throws(AuthenticationError) {
    _ = unsafe try context.call(within: limit) {
      unsafe library.delete(item.pointer, $0, $1, $2)
    } finish: {
      unsafe library.deleted(item.pointer, $0, $1)
    }
  }
}

// MARK: - Locked or open

extension SecretServiceAccess {
  /// Whether the collection for new secrets is open; throws if there is none.
  func isOpen() throws(AuthenticationError) -> Bool {
    let collection = try defaultCollection()
    return unsafe library.isCollectionLocked(collection.pointer) == 0
  }

  /// Opens the default collection; `patience` is the timeout for the person, nil asks nobody.
  func open(asking patience: Duration?) throws(AuthenticationError) {
    let collection = try defaultCollection()
    if unsafe library.isCollectionLocked(collection.pointer) != 0 { try unlock(collection, asking: patience) }
  }

  /// Opens a collection, or that of an item.
  func unlock(_ object: Handle, asking patience: Duration?) throws(AuthenticationError) {
    guard let patience else { throw .keyringLocked }
    let list = unsafe library.appendToList(nil, object.pointer)!
    defer { unsafe library.freeList(list) }
    let count = unsafe try context.call(within: patience, late: { _ in .keyringNotUnlocked }) {
      unsafe library.unlock(service.pointer, list, $0, $1, $2)
    } finish: {
      unsafe library.unlocked(service.pointer, $0, nil, $1)
    }
    if count < 1 { throw .keyringNotUnlocked }
  }

  private func defaultCollection() throws(AuthenticationError) -> Handle {
    let collection = unsafe try context.call(within: limit) {
      unsafe library.findCollection(service.pointer, "default", 0, $0, $1, $2)
    } finish: {
      unsafe library.foundCollection($0, $1)
    }
    guard let collection = unsafe collection else { throw .keyringMissing }
    return unsafe library.owned(collection)
  }
}
#endif
