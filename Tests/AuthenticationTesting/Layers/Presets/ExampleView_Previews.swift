#if canImport(SwiftUI)
import AuthenticationPresentation
import AuthenticationUI
import SwiftUI

/// The example in three states. A provider, and not the macro: that one cannot be checked without Apple's toolchain.
struct ExampleView_Previews: PreviewProvider {
  static var previews: some View {
    Group {
      ExampleView(.newUser())
      ExampleView(.returningUser())
      ExampleView(.failed())
    }
  }
}
#endif
