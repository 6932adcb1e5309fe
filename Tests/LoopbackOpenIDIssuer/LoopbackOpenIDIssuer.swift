/// An OpenID Connect issuer on this machine, for tests; it signs with an implementation of its own.
public struct LoopbackOpenIDIssuer {}
