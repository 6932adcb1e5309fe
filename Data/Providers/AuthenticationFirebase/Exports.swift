@_exported public import AuthenticationBrowser
