import Foundation

/// The entry of libFuzzer: one input for the target that `FUZZ_TARGET` names.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  do {
    try Driver.target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("FOUND by \(Driver.target.name): \(error)")
  }
  return 0
}

private enum Driver {
  static let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "?"
    guard let target = (FuzzTarget.all + FuzzTarget.faulty).first(where: { $0.name == name }) else {
      fatalError("FUZZ_TARGET names no target: \(name)")
    }
    return target
  }()
}
