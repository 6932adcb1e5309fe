#if canImport(SwiftUI)
import AuthenticationDomain
import SwiftUI

extension View {
  /// What the system fills in, and which keyboard it shows.
  @ViewBuilder
  func entry(_ need: SignInMethod.Need) -> some View {
    #if os(iOS) || os(visionOS) || os(tvOS)
    switch need.id {
    case SignInMethod.Need.phoneNumber.id:
      textContentType(.telephoneNumber).keyboardType(.phonePad).autocorrectionDisabled()
    case SignInMethod.Need.emailAddress.id, SignInMethod.Need.userName.id:
      textContentType(.username).keyboardType(.emailAddress).textInputAutocapitalization(.never)
        .autocorrectionDisabled()
    case "given_name": textContentType(.givenName).textInputAutocapitalization(.words).autocorrectionDisabled()
    case "family_name": textContentType(.familyName).textInputAutocapitalization(.words).autocorrectionDisabled()
    default: autocorrectionDisabled()
    }
    #else
    autocorrectionDisabled()
    #endif
  }

  func secret(isNew: Bool) -> some View {
    #if os(iOS) || os(visionOS) || os(tvOS)
    textContentType(isNew ? .newPassword : .password).textInputAutocapitalization(.never).autocorrectionDisabled()
    #else
    autocorrectionDisabled()
    #endif
  }

  /// One field, whatever is drawn: codes are filled in by the system.
  func code() -> some View {
    #if os(iOS) || os(visionOS)
    textContentType(.oneTimeCode).keyboardType(.numberPad).autocorrectionDisabled()
    #else
    autocorrectionDisabled()
    #endif
  }

  /// With a border, where the system has such fields.
  func bordered() -> some View {
    #if os(tvOS) || os(watchOS)
    self
    #else
    textFieldStyle(.roundedBorder)
    #endif
  }

  /// Codes, numbers and addresses are read from left to right in every language.
  func leftToRight() -> some View { environment(\.layoutDirection, .leftToRight) }
}
#endif
