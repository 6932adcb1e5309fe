import Foundation
import Testing

/// Rules of every view, which only Apple platforms draw.
@Suite struct SwiftUISourceTests {
  private let views: [SourceFile]

  init() throws {
    let account = try SourceFile.all(below: "Presentation/AuthenticationAccountPresentation")
      .filter { $0.name.hasSuffix("Screens.swift") }
    let accounts = try SourceFile.all(below: "Composition/AuthenticationMultiAccount")
      .filter { $0.name.hasSuffix("Menu.swift") || $0.name.hasSuffix("Model.swift") }
    let screens = try SourceFile.all(below: "Presentation/AuthenticationScreens") + account + accounts
    views = try (SourceFile.all(below: "Presentation/AuthenticationUI") + screens).map { file in
      let code = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      return SourceFile(name: file.name, text: code.joined(separator: "\n"))
    }
    #expect(views.count > 7)
  }

  @Test func `no view says anything that is not in the words`() {
    for view in views {
      let literals = view.text.matches(
        of: /(?:Text|Button|Label|Field|button|text|accessibility(?:Label|Hint|Value))\("([^"]+)"/
      )
      .map { String($0.1) }.filter { !$0.contains(/^[a-z_]+(\.[a-z_]+)+$/) }
      #expect(literals == [], "\(view.name)")
    }
  }

  @Test func `no view needs an object of its environment: a transition that loses it crashes`() {
    for view in views { #expect(!view.text.contains(/EnvironmentObject|@Environment\(\w+\.self\)/), "\(view.name)") }
  }

  @Test func `no view has a colour of its own but the white behind a QR code`() {
    for view in views where view.name != "QRCodeView.swift" {
      #expect(!view.text.contains(/Color\(|Color\.(?!accentColor|clear|primary|red)|UIColor|NSColor/), "\(view.name)")
    }
  }

  @Test func `no view dismisses itself`() {
    for view in views { #expect(!view.text.contains("dismiss"), "\(view.name)") }
  }

  @Test func `no view looks at which error it was: a model has a sentence for it`() {
    for view in views { #expect(!view.text.contains(/\.code ==|case \.(?:invalid|wrong)/), "\(view.name)") }
  }

  // A model's texts besides its parts reach the user by these lines alone.
  @Test func `a page announces, and moves the focus`() throws {
    let page = try #require(views.first { $0.name == "ScreenView.swift" })
    #expect(page.text.contains(".background(Announcer { model.announcement })"))
    #expect(page.text.contains(".onChange(of: model.focus, initial: true)"))
    #expect(page.text.contains("ForEach(parts)"))
  }

  @Test func `each page moves on with Return, and has one button for that at a time`() {
    let buttons = views.filter { $0.text.contains(".pressedByReturn()") }.map(\.name)
    #expect(buttons == ["FlowButton.swift"])
  }
}
