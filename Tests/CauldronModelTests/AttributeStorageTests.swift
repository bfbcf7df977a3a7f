import CauldronModel
import Foundation
import Testing

@Suite("The table of attribute types")
struct AttributeStorageTests {
  private static let swiftTypes: [any AttributeValue.Type] = [
    Int.self, Int64.self, Int32.self, Int16.self, Bool.self, Double.self, Float.self, Date.self,
    Decimal.self, String.self, URL.self, UUID.self, Data.self,
  ]

  @Test("A Swift type lies in its slot exactly where the table says so")
  func inline() {
    for type in Self.swiftTypes {
      let isInline = [.integer, .real].contains(type.attributeType.storageClass)
      #expect(type._isInline == isInline, "\(type)")
    }
  }

  @Test("Every type but that of encoded values has a Swift type")
  func complete() {
    let all = Set(AttributeType.allCases).subtracting(Self.swiftTypes.map { $0.attributeType })
    #expect(all == [.transformable, .composite, .undefined])
  }

  @Test("Names are unique, and integers are in a range exactly where they are integers")
  func consistent() {
    let types = AttributeType.allCases
    #expect(Set(types.map(\.displayName)).count == types.count)
    for type in types {
      #expect((type.integerRange != nil) == (type.storageClass == .integer), "\(type)")
    }
  }

  @Test("What may be there and yet be no value is a number that is none, or was not encoded")
  func doubts() {
    let doubts = AttributeType.allCases.filter { $0.storage.form.doubt != nil }
    #expect(doubts == [.decimal, .double, .float, .date, .transformable])
  }
}
