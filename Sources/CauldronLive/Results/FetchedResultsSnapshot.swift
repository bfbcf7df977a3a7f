public import CauldronGraph
package import CauldronLedger
public import CauldronList
public import CauldronModel
import CauldronQuery
import Foundation

/// What a list shows at one moment: IDs in order, in sections, with the values of each. None of it
/// changes, but for IDs: that of a new object may become another one with the save, here as there. It may be
/// handed to any task.
///
/// ```swift
/// for try await update in Person.where(\.age >= 18).sorted(by: \.name).updates() {
///   print(update.snapshot.count, update.snapshot.value(of: \.name, at: 0))
/// }
/// ```
/// It shares all but what has changed with other snapshots of the same list.
public struct FetchedResultsSnapshot<Object: ManagedObject>: Sendable {
  package let rows: RowSnapshot?
  package let coordinator: PersistentStoreCoordinator
  let section: LiveSection?

  init(_ rows: RowSnapshot?, _ coordinator: PersistentStoreCoordinator, _ section: LiveSection?) {
    self.rows = rows
    self.coordinator = coordinator
    self.section = section
  }

  /// How many objects the list has.
  public var count: Int { rows?.count ?? 0 }

  /// Whether the list has no objects.
  public var isEmpty: Bool { count == 0 }

  /// The ID of the object at a place from 0 to `count - 1`.
  /// - Complexity: O(log *n*).
  public func objectID(at place: Int) -> ManagedObjectID { known.id(at: place, coordinator) }

  /// The ID of the object at a place in a section.
  /// - Complexity: O(log *n*).
  public func objectID(at path: ListPath) -> ManagedObjectID { objectID(at: place(of: path)) }

  /// The IDs of the objects in some places, in order.
  /// - Complexity: O(log *n*) and one for each place.
  public func objectIDs(in places: Range<Int>) -> [ManagedObjectID] {
    guard let rows else { return [] }
    var result: [ManagedObjectID] = []
    result.reserveCapacity(places.count)
    let provisional = coordinator.ledger.provisional
    rows.forEach(in: places) { result.append(coordinator.id($0).followed(provisional)) }
    return result
  }

  /// The IDs of all objects, in order.
  /// - Complexity: O(*n*).
  public var objectIDs: [ManagedObjectID] { objectIDs(in: 0..<count) }

  /// The place of an object; nil if it is not in the list.
  /// - Complexity: O(log *n*) comparisons.
  public func index(of id: ManagedObjectID) -> Int? {
    guard let rows, let layout = coordinator.layout(id),
      rows.plan.query.entity.includes(layout.number)
    else { return nil }
    return rows.place(of: id.followed(coordinator.ledger.provisional).key) ?? rows.place(of: id.key)
  }

  /// The section of an object, and its place there; nil if it is not in the list.
  /// - Complexity: O(log *n*) comparisons.
  public func path(of id: ManagedObjectID) -> ListPath? { index(of: id).map(path(of:)) }

  /// The section of a place in the whole list, and the place there.
  /// - Complexity: O(log sections).
  public func path(of place: Int) -> ListPath { known.path(of: place) }

  /// The place in the whole list of a place in a section.
  /// - Complexity: O(log sections).
  public func place(of path: ListPath) -> Int {
    let known = known
    guard (0..<known.sectionCount).contains(path.section) else {
      trap("The list has \(known.sectionCount) sections, and none at \(path.section).")
    }
    let places = known.places(inSection: path.section)
    guard (0..<places.count).contains(path.item) else {
      trap("Section \(path.section) has \(places.count) objects, and none at \(path.item).")
    }
    return places.lowerBound + path.item
  }

  /// How many sections the list has: one where it is not divided.
  public var sectionCount: Int { rows?.sectionCount ?? (section == nil ? 1 : 0) }

  /// A section by its number from 0.
  /// - Complexity: O(log sections).
  public func section(at number: Int) -> FetchedResultsSection {
    guard let rows else { return FetchedResultsSection(name: "", value: nil, places: 0..<0) }
    let value = rows.sectionValue(number)
    return FetchedResultsSection(
      name: value.map { SectionNames.name(of: $0, form: section?.form) } ?? "", value: value,
      places: rows.places(inSection: number))
  }

  /// All sections.
  /// - Complexity: O(sections).
  public var sections: [FetchedResultsSection] { (0..<sectionCount).map(section(at:)) }

  private var known: RowSnapshot {
    guard let rows else { trap("A place lies outside of an empty list.") }
    return rows
  }
}

/// A section of a list.
public struct FetchedResultsSection: Sendable, Hashable {
  /// What the section is called: the value that its objects have in common, as text; empty for nil, and
  /// for the one section of a list that is not divided.
  public let name: String
  /// That value; nil for a list that is not divided.
  public let value: AttributeScalar?
  /// The places of its objects in the whole list.
  public let places: Range<Int>

  /// How many objects it has.
  public var numberOfObjects: Int { places.count }

  /// What stands for it in an index beside the list: the first letter of the name, as a capital.
  public var indexTitle: String { name.first.map { String($0).uppercased() } ?? "" }
}

/// What sections are called.
enum SectionNames {
  static func name(of value: AttributeScalar, form: SectionForm?) -> String {
    switch (form, value) {
    case (_, .null): ""
    case (.firstLetter, .text(let letter)): title(letter)
    case (.day, .integer(let day)): self.day(day)
    case (.month, .integer(let month)): self.month(month)
    case (_, .integer(let number)): "\(number)"
    case (_, .real(let number)): "\(number)"
    case (_, .text(let text)): text
    case (_, .blob(let data)): data.base64EncodedString()
    }
  }

  /// A letter as a capital, unless that would make two letters one.
  private static func title(_ letter: String) -> String {
    let capital = letter.uppercased()
    return capital.lowercased() == letter ? capital : letter
  }

  /// A day, counted from the first of 2001, as `2026-11-23`.
  private static func day(_ day: Int64) -> String {
    // The days of 400 years repeat; March comes first, so that leap days come last.
    let days = day + 730_791
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let rest = days - era * 146_097
    let year = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365
    let dayOfYear = rest - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let isNext = month >= 10
    return text(year + era * 400 + (isNext ? 1 : 0)) + "-"
      + text(month + (isNext ? -9 : 3), digits: 2)
      + "-"
      + text(date, digits: 2)
  }

  /// A month, counted from the first of year 0, as `2026-11`.
  private static func month(_ month: Int64) -> String {
    let year = (month >= 0 ? month : month - 11) / 12
    return text(year) + "-" + text(month - year * 12 + 1, digits: 2)
  }

  private static func text(_ number: Int64, digits: Int = 4) -> String {
    let text = "\(number.magnitude)"
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count))
      + text
  }
}

/// Runs what checks the order of sections, and says which two do not fit.
func sectioned<R>(
  _ body: () throws -> R
) throws -> R {
  do {
    return try body()
  } catch let error as RepeatedSection<AttributeScalar> {
    let value = SectionNames.name(of: error.value, form: nil)
    throw CauldronError(
      .queryUnsupported,
      "The section \"\(value)\" comes again behind \"\(SectionNames.name(of: error.between, form: nil))\": the"
        + " order of the list does not keep its objects together.",
      hint:
        "Sort by the attribute that the sections are made of first, or make names that follow its"
        + " order.")
  }
}
