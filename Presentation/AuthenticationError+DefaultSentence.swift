public import AuthenticationDomain

extension AuthenticationError {
  /// What to tell a person if the app has no text of its own (English). Chosen by code alone, so that it holds nothing
  /// of a response, a URL or a secret.
  public var defaultSentence: String {
    switch code {
    case .blankUserName: "Please enter your user name."
    case .emptyPassword: "Please enter your password."
    case .emptyCode: "Please enter the code."
    case .invalidPhoneNumber: "Please enter your phone number with its country code."
    case .invalidCredentials: "The user name or password is not correct."
    case .signUpRefused: "This account could not be created. Please choose another user name or password."
    case .rateLimited: "Too many attempts. Please wait a moment and try again."
    case .unreachable: "There is no connection. Please try again when you are online."
    case .timedOut, .connectionLost, .serverFailed: "The service is not answering. Please try again later."
    case .insecureConnection: "No secure connection could be made."
    case .sessionRejected, .sessionExpired, .ambiguousLoss: "Your session has ended. Please sign in again."
    case .notSignedIn: "Please sign in."
    case .confirmationRequired: "You have not added a way to sign in: signing out deletes this account for ever."
    case .notVerified: "The sign-in was not accepted. Please try again."
    case .userPresenceRequired: "Unlock this device's secure storage to go on."
    case .storageUnavailable: "This device's secure storage is not available right now."
    case .storageCorrupt: "Your saved sign-in cannot be read. Please sign in again."
    case .insufficientUserAuthentication: "Please sign in again to go on."
    case .declined: "You did not agree, so you are not signed in."
    case .signInExpired: "That took too long. Please start again."
    case .clockSkewed: "The clock of this device is wrong. Please set it and try again."
    case .security: "The sign-in could not be verified, so it was stopped. Please try again."
    case .browserUnavailable: "No browser could be opened."
    case .insufficientScope: "You do not have permission to do this."
    default: "Something went wrong. Please try again."
    }
  }
}
