#if os(Linux)
/// The items that a search has found.
struct SecretServiceItems {
  /// Sorted by path, so that every process has the same first item.
  let sorted: [Handle]
  private let library: Libsecret

  /// Takes ownership of a `GList` of items.
  init(list: Libsecret.Object?, _ library: Libsecret) {
    self.library = library
    var items: [(path: String, item: Handle)] = []
    var next = unsafe list
    while let node = unsafe next {
      // Data, next, previous.
      let fields = unsafe UnsafePointer<Libsecret.Object?>(node)
      if let item = unsafe fields[0] {
        let path = unsafe library.pathOfProxy(item).map { unsafe String(cString: $0) } ?? ""
        items.insert((path, unsafe Handle(item) { unsafe library.unref($0) }), at: items.count { $0.path <= path })
      }
      unsafe next = fields[1]
    }
    if let list = unsafe list { unsafe library.freeList(list) }
    sorted = items.map(\.item)
  }

  var locked: Handle? { sorted.first { unsafe library.isItemLocked($0.pointer) != 0 } }

  /// The secret of the first item; nil if the service did not return it.
  var text: String? {
    guard let item = sorted.first, let pointer = unsafe library.secretOfItem(item.pointer) else { return nil }
    let value = unsafe Handle(pointer) { unsafe library.unrefValue($0) }
    var count = 0
    guard let bytes = unsafe library.bytesOfValue(value.pointer, &count) else { return nil }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
#endif
