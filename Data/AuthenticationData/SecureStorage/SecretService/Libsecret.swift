#if os(Linux)
import AuthenticationDomain
import Foundation
import Synchronization

private let symbols = Symbols(of: "libsecret-1.so.0")

/// libsecret, and the GLib it loads, looked up on first use: neither building nor launching depends on them.
///
/// A `GObject` is an `OpaquePointer` here, a `GError **` an ``ErrorSlot``. Nothing is written after initialization, and
/// any thread may call these functions. Their types must be those of the library's header: nothing can check them.
@safe final class Libsecret: @unchecked Sendable {
  typealias Object = OpaquePointer
  typealias ErrorSlot = UnsafeMutablePointer<OpaquePointer?>
  typealias Text = UnsafePointer<CChar>

  /// Nil if it, or one of its functions, is missing. It is never unloaded: GLib's types could not be registered again.
  static let shared: Libsecret? = {
    let library = Libsecret()
    return symbols.areComplete ? library : nil
  }()

  typealias Callback = MainContext.Callback
  typealias SourceCallback = @convention(c) (UnsafeMutableRawPointer?) -> CInt
  typealias Raw = UnsafeMutableRawPointer
  typealias SignalCallback = @convention(c) (Object?, Text?, Text?, Text?, Text?, Object?, Raw?) -> Void

  // MARK: Service, collections, items

  let serviceType: (@convention(c) () -> UInt)! = symbols.find("secret_service_get_type")
  let connect: (@convention(c) (UInt, Text?, CInt, Object?, Callback, Raw) -> Void)! =
    unsafe symbols.find("secret_service_open")
  let connected: (@convention(c) (Object, ErrorSlot) -> Object?)! = unsafe symbols.find("secret_service_open_finish")
  let search: (@convention(c) (Object, Object, Object, CInt, Object?, Callback, Raw) -> Void)! =
    unsafe symbols.find("secret_service_search")
  let searched: (@convention(c) (Object, Object, ErrorSlot) -> Object?)! =
    unsafe symbols.find("secret_service_search_finish")
  let store: (@convention(c) (Object, Object, Object, Text?, Text, Object, Object?, Callback, Raw) -> Void)! =
    unsafe symbols.find("secret_service_store")
  let stored: (@convention(c) (Object, Object, ErrorSlot) -> CInt)! = unsafe symbols.find("secret_service_store_finish")
  let unlock: (@convention(c) (Object, Object, Object?, Callback, Raw) -> Void)! =
    unsafe symbols.find("secret_service_unlock")
  let unlocked: (@convention(c) (Object, Object, UnsafeMutablePointer<Object?>?, ErrorSlot) -> CInt)! =
    unsafe symbols.find("secret_service_unlock_finish")
  let findCollection: (@convention(c) (Object, Text, CInt, Object?, Callback, Raw) -> Void)! =
    unsafe symbols.find("secret_collection_for_alias")
  let foundCollection: (@convention(c) (Object, ErrorSlot) -> Object?)! =
    unsafe symbols.find("secret_collection_for_alias_finish")
  let isCollectionLocked: (@convention(c) (Object) -> CInt)! = unsafe symbols.find("secret_collection_get_locked")
  let isItemLocked: (@convention(c) (Object) -> CInt)! = unsafe symbols.find("secret_item_get_locked")
  let secretOfItem: (@convention(c) (Object) -> Object?)! = unsafe symbols.find("secret_item_get_secret")
  let setSecret: (@convention(c) (Object, Object, Object?, Callback, Raw) -> Void)! =
    unsafe symbols.find("secret_item_set_secret")
  let secretSet: (@convention(c) (Object, Object, ErrorSlot) -> CInt)! =
    unsafe symbols.find("secret_item_set_secret_finish")
  let delete: (@convention(c) (Object, Object?, Callback, Raw) -> Void)! = unsafe symbols.find("secret_item_delete")
  let deleted: (@convention(c) (Object, Object, ErrorSlot) -> CInt)! = unsafe symbols.find("secret_item_delete_finish")
  let pathOfProxy: (@convention(c) (Object) -> Text?)! = unsafe symbols.find("g_dbus_proxy_get_object_path")

  // MARK: Values and schema

  let newValue: (@convention(c) (Text, Int, Text) -> Object?)! = unsafe symbols.find("secret_value_new")
  let bytesOfValue: (@convention(c) (Object, UnsafeMutablePointer<Int>) -> Text?)! =
    unsafe symbols.find("secret_value_get")
  let unrefValue: (@convention(c) (Object) -> Void)! = unsafe symbols.find("secret_value_unref")
  let newSchema: (@convention(c) (Text, CInt, Object) -> Object?)! = unsafe symbols.find("secret_schema_newv")
  let unrefSchema: (@convention(c) (Object) -> Void)! = unsafe symbols.find("secret_schema_unref")

  // MARK: GLib

  let newContext: (@convention(c) () -> Object?)! = unsafe symbols.find("g_main_context_new")
  let pushContext: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_main_context_push_thread_default")
  let popContext: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_main_context_pop_thread_default")
  let iterate: (@convention(c) (Object, CInt) -> CInt)! = unsafe symbols.find("g_main_context_iteration")
  let unrefContext: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_main_context_unref")
  let newTimer: (@convention(c) (UInt32) -> Object?)! = unsafe symbols.find("g_timeout_source_new")
  let setCallback: (@convention(c) (Object, SourceCallback, Raw?, Object?) -> Void)! =
    unsafe symbols.find("g_source_set_callback")
  let attach: (@convention(c) (Object, Object) -> UInt32)! = unsafe symbols.find("g_source_attach")
  let destroySource: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_source_destroy")
  let unrefSource: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_source_unref")
  let newCancellable: (@convention(c) () -> Object?)! = unsafe symbols.find("g_cancellable_new")
  let cancel: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_cancellable_cancel")
  let ref: (@convention(c) (Object) -> Object?)! = unsafe symbols.find("g_object_ref")
  let unref: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_object_unref")
  let appendToList: (@convention(c) (Object?, Object) -> Object?)! = unsafe symbols.find("g_list_append")
  let freeList: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_list_free")
  let newTable: (@convention(c) (Object?, Object?, Object?, Object?) -> Object?)! =
    unsafe symbols.find("g_hash_table_new_full")
  let insertIntoTable: (@convention(c) (Object, Object?, Object?) -> CInt)! = unsafe symbols.find("g_hash_table_insert")
  let unrefTable: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_hash_table_unref")
  let duplicate: (@convention(c) (Text) -> Object?)! = unsafe symbols.find("g_strdup")
  let addressOfBus: (@convention(c) (CInt, Object?, ErrorSlot?) -> Object?)! =
    unsafe symbols.find("g_dbus_address_get_for_bus_sync")
  let connectToBus: (@convention(c) (Object, CInt, Object?, Object?, ErrorSlot?) -> Object?)! =
    unsafe symbols.find("g_dbus_connection_new_for_address_sync")
  let isConnectionClosed: (@convention(c) (Object) -> CInt)! = unsafe symbols.find("g_dbus_connection_is_closed")
  let subscribe:
    (@convention(c) (Object, Text?, Text?, Text?, Text?, Text?, CInt, SignalCallback, Raw?, Object?) -> UInt32)! =
      unsafe symbols.find("g_dbus_connection_signal_subscribe")
  let freeText: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_free")
  let freeError: (@convention(c) (Object) -> Void)! = unsafe symbols.find("g_error_free")
  let nameOfQuark: (@convention(c) (UInt32) -> Text?)! = unsafe symbols.find("g_quark_to_string")
  // Passed on, not called.
  private let hashText: Object! = unsafe symbols.find("g_str_hash")
  private let compareText: Object! = unsafe symbols.find("g_str_equal")
  private let free: Object! = unsafe symbols.find("g_free")

  private init() {}
}

/// The symbols that a library exports, its dependencies included; none where it is not installed.
@safe private final class Symbols: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer?
  private let isOneMissing = Atomic(false)

  init(of library: String) { unsafe handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) }

  /// Whether all that was looked for was found.
  var areComplete: Bool { !isOneMissing.load(ordering: .relaxed) }

  func find<Symbol>(_ name: String) -> Symbol? {
    guard let handle = unsafe handle, let address = unsafe dlsym(handle, name) else {
      isOneMissing.store(true, ordering: .relaxed)
      return nil
    }
    return unsafe unsafeBitCast(address, to: Symbol.self)
  }
}

extension Libsecret {
  /// Takes ownership of a reference.
  func owned(_ object: Object) -> Handle {
    let library = self
    return unsafe Handle(object) { unsafe library.unref($0) }
  }

  /// Frees the error, and keeps only its kind and number: its message is the service's.
  func cause(_ error: OpaquePointer) -> AuthenticationError.Cause {
    defer { unsafe freeError(error) }
    // A GError: domain, code, message.
    let fields = unsafe UnsafePointer<UInt32>(error)
    let domain = unsafe nameOfQuark(fields[0]).map { unsafe String(cString: $0) } ?? "GError"
    return unsafe .init(domain: domain, code: Int(Int32(bitPattern: fields[1])))
  }

  // MARK: The values

  func value(_ text: String) -> Handle {
    let library = self
    return unsafe Handle(newValue(text, text.utf8.count, "text/plain")!) { unsafe library.unrefValue($0) }
  }

  func table(_ values: [String: String]) -> Handle {
    let table = unsafe table(freeing: free)
    for (name, value) in values { _ = unsafe insertIntoTable(table.pointer, duplicate(name), duplicate(value)) }
    return table
  }

  /// Every attribute is text, which is type 0.
  func schema(_ name: String, attributes: some Sequence<String>) -> Handle {
    let library = self
    let types = unsafe table(freeing: nil)
    for attribute in attributes { _ = unsafe insertIntoTable(types.pointer, duplicate(attribute), nil) }
    return unsafe Handle(newSchema(name, 0, types.pointer)!) { unsafe library.unrefSchema($0) }
  }

  private func table(freeing free: OpaquePointer?) -> Handle {
    let library = self
    return unsafe Handle(newTable(hashText, compareText, self.free, free)!) { unsafe library.unrefTable($0) }
  }
}

/// Owns one reference to an object of libsecret or GLib, and releases it when deallocated.
@safe final class Handle {
  let pointer: OpaquePointer
  private let release: (OpaquePointer) -> Void

  init(_ pointer: OpaquePointer, release: @escaping (OpaquePointer) -> Void) {
    unsafe self.pointer = pointer
    unsafe self.release = release
  }

  deinit { unsafe release(pointer) }
}

/// A separate GLib main context, in which a call into libsecret runs until it ends or reaches its time limit.
///
/// Cancelling such a call only requests its end: a service that ignores the request would block the caller forever.
/// After its limit a call is abandoned, together with the context that waits for its response.
@safe struct MainContext {
  typealias Callback = @convention(c) (Libsecret.Object?, Libsecret.Object?, UnsafeMutableRawPointer?) -> Void

  let library: Libsecret
  private let context: Handle

  init(_ library: Libsecret) {
    self.library = library
    unsafe context = Handle(library.newContext()!) { unsafe library.unrefContext($0) }
  }

  /// Starts an asynchronous call, and finishes it with the response.
  func call<Value>(
    within limit: Duration, late: AuthenticationError = .secretServiceLate,
    _ start: (_ cancellable: Libsecret.Object?, _ callback: Callback, _ data: UnsafeMutableRawPointer) -> Void,
    finish: (_ result: Libsecret.Object, _ failure: Libsecret.ErrorSlot) -> Value
  ) throws(AuthenticationError) -> Value {
    unsafe library.pushContext(context.pointer)
    defer {
      // Runs the remaining work of ended calls: otherwise the context, and its descriptor, would never be freed.
      while unsafe library.iterate(context.pointer, 0) != 0 {}
      unsafe library.popContext(context.pointer)
    }
    let cancellable = unsafe library.owned(library.newCancellable()!)
    let reply = Reply(library)
    unsafe start(cancellable.pointer, Reply.callback, Unmanaged.passRetained(reply).toOpaque())
    wait(for: reply, atMost: limit)
    let isLate = reply.result == nil
    if isLate {
      unsafe library.cancel(cancellable.pointer)
      wait(for: reply, atMost: .seconds(1))
    }
    guard let result = reply.result else { throw late }
    var failure: Libsecret.Object?
    let value = unsafe finish(result.pointer, &failure)
    guard let failure = unsafe failure else { return value }
    var error = isLate ? late : .secretServiceFailed
    error.cause = unsafe library.cause(failure)
    throw error
  }

  private func wait(for reply: Reply, atMost limit: Duration) {
    let timer = MainContextTimer(limit, in: context, library)
    while reply.result == nil, !timer.hasFired { unsafe _ = library.iterate(context.pointer, 1) }
  }
}

/// Retained by the call it waits for, which releases it when it responds.
private final class Reply {
  private(set) var result: Handle?
  private let library: Libsecret

  init(_ library: Libsecret) { self.library = library }

  static let callback: MainContext.Callback = { _, result, data in
    let reply = unsafe Unmanaged<Reply>.fromOpaque(data!).takeRetainedValue()
    reply.result = unsafe reply.library.owned(reply.library.ref(result!)!)
  }
}

/// Wakes a main context once, unless the timer is deallocated first.
@safe final class MainContextTimer {
  private(set) var hasFired = false
  private let library: Libsecret
  private let source: Libsecret.Object

  init(_ delay: Duration, in context: Handle, _ library: Libsecret) {
    self.library = library
    let (seconds, attoseconds) = delay.components
    unsafe source = library.newTimer(UInt32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))!
    unsafe library.setCallback(source, Self.fire, Unmanaged.passUnretained(self).toOpaque(), nil)
    unsafe _ = library.attach(source, context.pointer)
  }

  private static let fire: Libsecret.SourceCallback = { data in
    unsafe Unmanaged<MainContextTimer>.fromOpaque(data!).takeUnretainedValue().hasFired = true
    return 0
  }

  deinit {
    unsafe library.destroySource(source)
    unsafe library.unrefSource(source)
  }
}

/// The D-Bus of the desktop's session.
enum SessionBus {
  /// False if there is no bus to connect to: GLib would start another one, with no secret in it.
  static var isNamed: Bool {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return !address.isEmpty }
    guard let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return false }
    return unsafe access("\(folder)/bus", F_OK) == 0
  }

  /// Whether there may be a display on which a prompt can be shown.
  static var hasDisplay: Bool { ["DISPLAY", "WAYLAND_DISPLAY"].contains { variable($0)?.isEmpty == false } }

  private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
#endif
