public import Foundation

public final class CGImage {
  public var width: Int { 0 }
}

public final class CIImage {
  public var extent: CGRect { CGRect() }
}

public final class CIFilter {
  public init?(name: String, parameters: [String: Any]?) { nil }
  public var outputImage: CIImage? { nil }
}

public final class CIContext {
  public init() {}
  public func createCGImage(_ image: CIImage, from rectangle: CGRect) -> CGImage? { nil }
}
