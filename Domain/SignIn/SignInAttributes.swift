/// What an app supplies for one attempt besides credentials: a captcha token, a device's fingerprint, a header.
///
/// A provider reads it while it signs in; what the names mean is the provider's to say.
public enum SignInAttributes {
  /// The attributes of the attempt in progress; empty outside of one.
  @TaskLocal public static var current: [String: Secret] = [:]
}
