/// Lists the parts of a screen.
@resultBuilder
package enum ScreenBuilder {
  package static func buildExpression(_ part: ScreenPart) -> [ScreenPart] { [part] }
  package static func buildExpression(_ parts: [ScreenPart]) -> [ScreenPart] { parts }
  package static func buildBlock(_ parts: [ScreenPart]...) -> [ScreenPart] { parts.flatMap(\.self) }
  package static func buildOptional(_ parts: [ScreenPart]?) -> [ScreenPart] { parts ?? [] }
  package static func buildEither(first parts: [ScreenPart]) -> [ScreenPart] { parts }
  package static func buildEither(second parts: [ScreenPart]) -> [ScreenPart] { parts }
  package static func buildArray(_ parts: [[ScreenPart]]) -> [ScreenPart] { parts.flatMap(\.self) }
}
