#if os(Linux)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

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
  let open: @Sendable @convention(c) (UInt, Text?, CInt, Object?, Callback, Raw) -> Void
  let opened: @Sendable @convention(c) (Object, ErrorSlot) -> Object?
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
      unsafe open = try symbols.function("secret_service_open")
      unsafe opened = try symbols.function("secret_service_open_finish")
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
#endif
