#if os(Linux)
import CurlInterface
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An easy handle of libcurl. Setting an option says whether this libcurl knows it.
@safe final class CurlHandle {
  let pointer: Libcurl.Handle
  let library: Libcurl

  /// Nil where there is no memory for it.
  init?(_ library: Libcurl) {
    guard let pointer = unsafe curl_interface_easy(library.functions) else { return nil }
    unsafe self.pointer = pointer
    self.library = library
  }

  deinit { unsafe curl_interface_free_easy(library.functions, pointer) }

  @discardableResult
  func set(_ option: CInt, _ value: Int) -> Bool {
    unsafe curl_interface_set_number(library.functions, pointer, option, value) == 0
  }

  @discardableResult
  func set(_ option: CInt, _ value: String?) -> Bool {
    unsafe curl_interface_set_text(library.functions, pointer, option, value) == 0
  }

  /// libcurl does not copy what is pointed to.
  @discardableResult
  func set(_ option: CInt, _ value: UnsafeMutableRawPointer?) -> Bool {
    unsafe curl_interface_set_pointer(library.functions, pointer, option, value) == 0
  }

  @discardableResult
  func set(_ option: CInt, copying value: Data) -> Bool {
    unsafe value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe curl_interface_set_copy(library.functions, pointer, option, start, bytes.count) == 0
    }
  }

  /// Copies the bytes of a request's body.
  func setBody(_ body: Data) -> Bool {
    guard unsafe curl_interface_set_size(library.functions, pointer, CurlOption.bodySize, Int64(body.count)) == 0 else {
      return false
    }
    if body.isEmpty { return set(CurlOption.body, "") }
    return unsafe body.withUnsafeBytes { bytes in
      unsafe set(CurlOption.body, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
  }
}
#endif
