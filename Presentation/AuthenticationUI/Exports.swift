@_exported public import AuthenticationScreens
