import ArgumentParser

struct Account: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign up, and look after the account of who is signed in.",
    discussion: """
      What the profile's provider cannot do is refused, and nothing is sent. Where it asks for a step, a person types the \
      answer, and a script gives it as one line of standard input; where that ends, --continue goes on later.
      """,
    subcommands: [
      SignUp.self, ResetPassword.self, ChangePassword.self, Verify.self, Link.self, Unlink.self, Factors.self,
      Sessions.self, Delete.self,
    ])
}
