public import CauldronGraph
public import CauldronModel
public import Foundation

extension SectionKey where Object: ManagedEntity {
  /// The values of an attribute.
  public static func value(of path: PartialKeyPath<Object>) -> SectionKey {
    value(KeyPathTable.path(of: path).text)
  }

  /// The first letters of a text attribute, whatever their case and diacritics.
  public static func firstLetter(of path: PartialKeyPath<Object>) -> SectionKey {
    firstLetter(KeyPathTable.path(of: path).text)
  }

  /// The days of a date attribute, called like `2026-11-23`.
  /// - Parameter timeZone: Where days begin; the current time zone by default.
  public static func day(
    of path: PartialKeyPath<Object>, in timeZone: TimeZone = .current
  ) -> SectionKey {
    day(KeyPathTable.path(of: path).text, timeZone: timeZone.identifier)
  }

  /// The months of a date attribute, called like `2026-11`.
  /// - Parameter timeZone: Where months begin; the current time zone by default.
  public static func month(
    of path: PartialKeyPath<Object>, in timeZone: TimeZone = .current
  ) -> SectionKey {
    month(KeyPathTable.path(of: path).text, timeZone: timeZone.identifier)
  }

  /// Names that a closure makes of an attribute's values; values that follow each other must give names
  /// that do.
  ///
  /// ```swift
  /// sectionBy: .custom(of: \.age) { "\($0 / 10 * 10)s" }
  /// ```
  public static func custom<Value: AttributeValue>(
    of path: KeyPath<Object, Value>, _ name: @escaping @Sendable (Value) -> String
  ) -> SectionKey {
    custom(KeyPathTable.path(of: path).text) { scalar in
      name(Value.shown(for: scalar))
    }
  }
}
