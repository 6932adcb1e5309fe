public import FoundationEssentials

public typealias CFData = Data
public final class CFError {}
public final class SecKey {}

public let kSecAttrKeyType: CFString = "kSecAttrKeyType"
public let kSecAttrKeyTypeRSA: CFString = "kSecAttrKeyTypeRSA"
public let kSecAttrKeyClass: CFString = "kSecAttrKeyClass"
public let kSecAttrKeyClassPublic: CFString = "kSecAttrKeyClassPublic"

public struct SecKeyAlgorithm: Sendable {
  public static let rsaSignatureMessagePKCS1v15SHA256 = Self()
  public static let rsaSignatureMessagePKCS1v15SHA384 = Self()
  public static let rsaSignatureMessagePKCS1v15SHA512 = Self()
  public static let rsaSignatureMessagePSSSHA256 = Self()
  public static let rsaSignatureMessagePSSSHA384 = Self()
  public static let rsaSignatureMessagePSSSHA512 = Self()
}

public func SecKeyCreateWithData(
  _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { nil }

public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool { false }
