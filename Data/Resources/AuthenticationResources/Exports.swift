@_exported public import AuthenticationData
@_exported public import AuthenticationDomain
@_exported public import AuthenticationOpenID
