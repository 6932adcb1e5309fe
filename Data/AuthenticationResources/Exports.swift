@_exported public import AuthenticationOpenID
