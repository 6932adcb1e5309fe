import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a vendor's people, in the order in which they were asked.
enum StoredNativePeople {
  private static let heading = "AuthenticationKit native 1"

  static func encode(_ people: [NativePerson]) -> Data {
    var writer = StoredFields.Writer(heading: heading)
    for person in people {
      writer.add("person", person.vendorUserID)
      writer.add("given", person.name?.given)
      writer.add("family", person.name?.family)
      writer.add("email", person.email)
      writer.add("account", person.account)
    }
    return writer.finished()
  }

  /// Nil for data that is damaged or of a later version.
  static func decode(_ data: Data) -> [NativePerson]? {
    guard var reader = StoredFields.Reader(data, heading: heading) else { return nil }
    var people: [NativePerson] = []
    while let (name, value) = reader.next() {
      if name == "person" {
        people.append(NativePerson(vendorUserID: value))
        continue
      }
      guard var person = people.popLast() else { return nil }
      switch name {
      case "given": person.name = PersonName(given: value, family: nil)
      case "family": person.name = PersonName(given: person.name?.given, family: value)
      case "email": person.email = value
      case "account": person.account = value
      default: break
      }
      people.append(person)
    }
    return reader.isAtEnd ? people : nil
  }
}
