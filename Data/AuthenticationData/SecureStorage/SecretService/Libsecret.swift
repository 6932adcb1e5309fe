#if os(Linux)
import AuthenticationDomain
import Foundation

/// libsecret, and the GLib it loads, looked up on first use: neither building nor launching depends on them.
///
/// A `GObject` is an `OpaquePointer` here, a `GError **` an ``ErrorSlot``.
@safe final class Libsecret: Sendable {
  typealias Object = OpaquePointer
  typealias ErrorSlot = UnsafeMutablePointer<OpaquePointer?>
  typealias Text = UnsafePointer<CChar>

  /// Nil if it is not installed. It is never unloaded: GLib's types could not be registered again.
  static let shared = Libsecret(name: "libsecret-1.so.0")

  typealias Callback = MainContext.Callback
  typealias SourceCallback = @convention(c) (UnsafeMutableRawPointer?) -> CInt
  typealias Raw = UnsafeMutableRawPointer

  // MARK: Service, collections, items

  let serviceType: @Sendable @convention(c) () -> UInt
  let connect: @Sendable @convention(c) (UInt, Text?, CInt, Object?, Callback, Raw) -> Void
  let connected: @Sendable @convention(c) (Object, ErrorSlot) -> Object?
  let search: @Sendable @convention(c) (Object, Object, Object, CInt, Object?, Callback, Raw) -> Void
  let searched: @Sendable @convention(c) (Object, Object, ErrorSlot) -> Object?
  let store: @Sendable @convention(c) (Object, Object, Object, Text?, Text, Object, Object?, Callback, Raw) -> Void
  let stored: @Sendable @convention(c) (Object, Object, ErrorSlot) -> CInt
  let unlock: @Sendable @convention(c) (Object, Object, Object?, Callback, Raw) -> Void
  let unlocked: @Sendable @convention(c) (Object, Object, UnsafeMutablePointer<Object?>?, ErrorSlot) -> CInt
  let findCollection: @Sendable @convention(c) (Object, Text, CInt, Object?, Callback, Raw) -> Void
  let foundCollection: @Sendable @convention(c) (Object, ErrorSlot) -> Object?
  let isCollectionLocked: @Sendable @convention(c) (Object) -> CInt
  let isItemLocked: @Sendable @convention(c) (Object) -> CInt
  let secretOfItem: @Sendable @convention(c) (Object) -> Object?
  let setSecret: @Sendable @convention(c) (Object, Object, Object?, Callback, Raw) -> Void
  let secretSet: @Sendable @convention(c) (Object, Object, ErrorSlot) -> CInt
  let delete: @Sendable @convention(c) (Object, Object?, Callback, Raw) -> Void
  let deleted: @Sendable @convention(c) (Object, Object, ErrorSlot) -> CInt
  let pathOfProxy: @Sendable @convention(c) (Object) -> Text?

  // MARK: Values and schema

  let newValue: @Sendable @convention(c) (Text, Int, Text) -> Object?
  let bytesOfValue: @Sendable @convention(c) (Object, UnsafeMutablePointer<Int>) -> Text?
  let unrefValue: @Sendable @convention(c) (Object) -> Void
  let newSchema: @Sendable @convention(c) (Text, CInt, Object) -> Object?
  let unrefSchema: @Sendable @convention(c) (Object) -> Void

  // MARK: GLib

  let newContext: @Sendable @convention(c) () -> Object?
  let pushContext: @Sendable @convention(c) (Object) -> Void
  let popContext: @Sendable @convention(c) (Object) -> Void
  let iterate: @Sendable @convention(c) (Object, CInt) -> CInt
  let unrefContext: @Sendable @convention(c) (Object) -> Void
  let newTimer: @Sendable @convention(c) (UInt32) -> Object?
  let setCallback: @Sendable @convention(c) (Object, SourceCallback, Raw?, Object?) -> Void
  let attach: @Sendable @convention(c) (Object, Object) -> UInt32
  let destroySource: @Sendable @convention(c) (Object) -> Void
  let unrefSource: @Sendable @convention(c) (Object) -> Void
  let newCancellable: @Sendable @convention(c) () -> Object?
  let cancel: @Sendable @convention(c) (Object) -> Void
  let ref: @Sendable @convention(c) (Object) -> Object?
  let unref: @Sendable @convention(c) (Object) -> Void
  let appendToList: @Sendable @convention(c) (Object?, Object) -> Object?
  let freeList: @Sendable @convention(c) (Object) -> Void
  let newTable: @Sendable @convention(c) (Object?, Object?, Object?, Object?) -> Object?
  let insertIntoTable: @Sendable @convention(c) (Object, Object?, Object?) -> CInt
  let unrefTable: @Sendable @convention(c) (Object) -> Void
  let duplicate: @Sendable @convention(c) (Text) -> Object?
  let freeError: @Sendable @convention(c) (Object) -> Void
  let nameOfQuark: @Sendable @convention(c) (UInt32) -> Text?
  /// Functions that are passed on, not called: `g_str_hash`, `g_str_equal`, `g_free`.
  let tableFunctions: @Sendable () -> (hash: Object?, equal: Object?, free: Object?)

  private init?(name: String) {
    guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    let symbols = unsafe Symbols(handle: handle)
    do throws(Symbols.Missing) {
      serviceType = try symbols.function("secret_service_get_type")
      unsafe connect = try symbols.function("secret_service_open")
      unsafe connected = try symbols.function("secret_service_open_finish")
      unsafe search = try symbols.function("secret_service_search")
      unsafe searched = try symbols.function("secret_service_search_finish")
      unsafe store = try symbols.function("secret_service_store")
      unsafe stored = try symbols.function("secret_service_store_finish")
      unsafe unlock = try symbols.function("secret_service_unlock")
      unsafe unlocked = try symbols.function("secret_service_unlock_finish")
      unsafe findCollection = try symbols.function("secret_collection_for_alias")
      unsafe foundCollection = try symbols.function("secret_collection_for_alias_finish")
      unsafe isCollectionLocked = try symbols.function("secret_collection_get_locked")
      unsafe isItemLocked = try symbols.function("secret_item_get_locked")
      unsafe secretOfItem = try symbols.function("secret_item_get_secret")
      unsafe setSecret = try symbols.function("secret_item_set_secret")
      unsafe secretSet = try symbols.function("secret_item_set_secret_finish")
      unsafe delete = try symbols.function("secret_item_delete")
      unsafe deleted = try symbols.function("secret_item_delete_finish")
      unsafe pathOfProxy = try symbols.function("g_dbus_proxy_get_object_path")
      unsafe newValue = try symbols.function("secret_value_new")
      unsafe bytesOfValue = try symbols.function("secret_value_get")
      unsafe unrefValue = try symbols.function("secret_value_unref")
      unsafe newSchema = try symbols.function("secret_schema_newv")
      unsafe unrefSchema = try symbols.function("secret_schema_unref")
      unsafe newContext = try symbols.function("g_main_context_new")
      unsafe pushContext = try symbols.function("g_main_context_push_thread_default")
      unsafe popContext = try symbols.function("g_main_context_pop_thread_default")
      unsafe iterate = try symbols.function("g_main_context_iteration")
      unsafe unrefContext = try symbols.function("g_main_context_unref")
      unsafe newTimer = try symbols.function("g_timeout_source_new")
      unsafe setCallback = try symbols.function("g_source_set_callback")
      unsafe attach = try symbols.function("g_source_attach")
      unsafe destroySource = try symbols.function("g_source_destroy")
      unsafe unrefSource = try symbols.function("g_source_unref")
      unsafe newCancellable = try symbols.function("g_cancellable_new")
      unsafe cancel = try symbols.function("g_cancellable_cancel")
      unsafe ref = try symbols.function("g_object_ref")
      unsafe unref = try symbols.function("g_object_unref")
      unsafe appendToList = try symbols.function("g_list_append")
      unsafe freeList = try symbols.function("g_list_free")
      unsafe newTable = try symbols.function("g_hash_table_new_full")
      unsafe insertIntoTable = try symbols.function("g_hash_table_insert")
      unsafe unrefTable = try symbols.function("g_hash_table_unref")
      unsafe duplicate = try symbols.function("g_strdup")
      unsafe freeError = try symbols.function("g_error_free")
      unsafe nameOfQuark = try symbols.function("g_quark_to_string")
      unsafe tableFunctions = {
        unsafe (symbols.address("g_str_hash"), symbols.address("g_str_equal"), symbols.address("g_free"))
      }
    } catch {
      return nil
    }
  }
}

/// The symbols that a loaded library exports, its dependencies included.
@safe private struct Symbols: @unchecked Sendable {
  struct Missing: Error {}
  /// Only passed to `dlsym`, which any thread may call.
  let handle: UnsafeMutableRawPointer

  /// The type must be that of the library's header: nothing can check it.
  func function<Function>(_ name: String, as type: Function.Type = Function.self) throws(Missing) -> Function {
    guard let address = unsafe address(name) else { throw Missing() }
    return unsafe unsafeBitCast(address, to: Function.self)
  }

  func address(_ name: String) -> OpaquePointer? { unsafe dlsym(handle, name).map { OpaquePointer($0) } }
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
}

// MARK: - What is handed over

extension Libsecret {
  func value(_ text: String) -> Handle {
    let library = self
    return unsafe Handle(newValue(text, text.utf8.count, "text/plain")!) { unsafe library.unrefValue($0) }
  }

  func table(_ values: [String: String]) -> Handle {
    let functions = unsafe tableFunctions()
    let table = unsafe table(freeing: functions.free)
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
    let functions = unsafe tableFunctions()
    return unsafe Handle(newTable(functions.hash, functions.equal, functions.free, free)!) {
      unsafe library.unrefTable($0)
    }
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
    within limit: Duration, late: (AuthenticationError.Cause?) -> AuthenticationError = { .secretServiceLate($0) },
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
    guard let result = reply.result else { throw late(nil) }
    var failure: Libsecret.Object?
    let value = unsafe finish(result.pointer, &failure)
    guard let failure = unsafe failure else { return value }
    let cause = unsafe library.cause(failure)
    throw isLate ? late(cause) : .secretServiceFailed(cause)
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
  /// False if there is no bus to connect to: GLib would start one of its own, with no secret in it.
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
