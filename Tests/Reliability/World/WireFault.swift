/// The fault of the wire in one exchange.
package enum WireFault: Sendable, Equatable {
  // The server does not see the request.
  case resetBeforeProcessing
  case answer(String, status: String, headers: [String] = [])
  case garbage
  case hang

  // The server has processed it.
  case dropAfterProcessing
  case resetAfterProcessing
  case truncatedHead
  case truncatedBody
  /// Half of the JSON, in a message that is whole.
  case halfJSON
  case garbageBody
  /// One byte each 100 milliseconds.
  case drip
}
