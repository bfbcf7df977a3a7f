package import CauldronModel
package import CauldronQuery
import Foundation

/// How a list of rows is ordered and divided.
package struct RowPlan: Sendable {
  /// Makes another value of a section's value.
  package typealias Transform = @Sendable (AttributeScalar) -> AttributeScalar

  /// The query whose result it is, with the section's term in front of its order.
  package let query: StoreQuery
  /// Whether rows alone tell their places; otherwise each has a ``SortTerm``.
  package let isPlain: Bool
  /// Whether the list has sections: by the value of the first sort key, or of the second one where the
  /// first orders the same values by language, or without case and diacritics.
  package let isDivided: Bool
  let matcher: QueryMatcher
  let transform: Transform?
  private let layouts: [Int32: EntityLayout]
  private let isDecimal: [Bool]
  /// Which sort key has the sections' values.
  private let divider: Int

  /// - Parameters:
  ///   - isDivided: Whether the first sort key divides the list.
  ///   - transform: What the sections are by, of the first sort key's value; nil for that value.
  package init(_ query: StoreQuery, isDivided: Bool, transform: Transform? = nil) {
    self.query = query
    self.isDivided = isDivided
    self.transform = transform
    isPlain = query.sort.allSatisfy { $0.property != nil }
    var ordering = StoreQuery(entity: query.entity)
    if isPlain { ordering.sort = query.sort }
    matcher = QueryMatcher(ordering)
    layouts = Dictionary(
      query.entity.family.map { ($0.entity.number, $0.entity) }, uniquingKeysWith: { a, _ in a })
    let isOrdered =
      switch query.sort.first?.expression {
      case .collated, .folded: true
      default: false
      }
    divider = isOrdered && query.sort.count > 1 ? 1 : 0
    isDecimal = query.sort.map { $0.expression.kind == .decimal }
  }

  /// The layout of a row.
  package func layout(of row: RowPointer) -> EntityLayout {
    layouts[row.entityNumber] ?? query.entity
  }

  /// The section's value, as it is made of a row or a term.
  func section(of element: ListedRow) -> AttributeScalar {
    guard isDivided else { return .null }
    let value: AttributeScalar
    if let term = element.term {
      value = term.section
    } else if let property = query.sort[0].property {
      value = property.scalar(in: element.row)
    } else {
      value = .null
    }
    return transform?(value) ?? value
  }

  /// The sort terms of rows by the values that they are sorted by, a column for each sort key.
  func terms(_ columns: [[AttributeScalar]], count: Int, in memory: ListMemory) -> [SortTerm] {
    var bytes = SortBytes()
    return (0..<count).map { index in
      bytes.removeAll()
      for (position, key) in query.sort.enumerated() {
        bytes.append(
          columns[position][index], ascending: key.ascending, isDecimal: isDecimal[position])
      }
      let section = isDivided ? SortTerm.bytes(of: columns[divider][index]) : []
      return memory.term(bytes.bytes, section: section)
    }
  }
}

/// The order of a list of rows.
struct RowOrder: ListOrder {
  let plan: RowPlan

  func precedes(_ a: ListedRow, _ b: ListedRow) -> Bool {
    guard let left = a.term, let right = b.term else { return plan.matcher.precedes(a.row, b.row) }
    let order = left.compare(with: right)
    return order == 0 ? a.key < b.key : order < 0
  }

  func hasSameContent(_ a: ListedRow, _ b: ListedRow) -> Bool {
    if a == b { return true }
    if a.row.entityNumber != b.row.entityNumber { return false }
    if let left = a.term, let right = b.term, left.compare(with: right) != 0 { return false }
    return a.row.difference(from: b.row, plan.layout(of: a.row)).isEmpty
  }
}

/// The sections of a list of rows.
struct RowSectioning: ListSectioning {
  let plan: RowPlan

  var isDivided: Bool { plan.isDivided }

  func section(of element: ListedRow) -> AttributeScalar { plan.section(of: element) }

  func isTogether(_ a: ListedRow, _ b: ListedRow) -> Bool {
    if plan.transform == nil {
      if let left = a.term, let right = b.term { return left.isTogether(with: right) }
      if let property = plan.query.sort.first?.property, let form = property.form {
        return a.row.isEqual(property.index, to: b.row, form)
      }
    }
    return section(of: a) == section(of: b)
  }
}

/// A row in a list, with what it is sorted by where that is not in the row itself.
package struct ListedRow: ListElement {
  package let row: RowPointer
  /// Nil where the row alone tells its place.
  let term: SortTerm?

  package init(_ row: RowPointer, _ term: SortTerm? = nil) {
    self.row = row
    self.term = term
  }

  package var key: Int64 { row.key }
}

/// What a row is sorted by, and the value of its section, in memory that a ``ListMemory`` keeps: the two
/// lengths, bytes in the order of the list, and a value.
package struct SortTerm: BitwiseCopyable, Equatable, @unchecked Sendable {
  // `@unchecked Sendable` because the memory is never written again once the term is made.
  let start: UnsafeRawPointer

  /// The bytes before the first one of the order.
  static let header = 8

  private var length: Int { Int(start.loadUnaligned(as: UInt32.self)) }

  private var sectionLength: Int {
    Int(start.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
  }

  var order: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + Self.header, count: length)
  }

  var sectionBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + Self.header + length, count: sectionLength)
  }

  /// Negative, 0 or positive.
  func compare(with other: SortTerm) -> Int {
    let (a, b) = (order, other.order)
    guard let left = a.baseAddress, let right = b.baseAddress else { return 0 }
    let result = memcmp(left, right, min(a.count, b.count))
    return result != 0 ? Int(result) : a.count - b.count
  }

  /// Whether both have the same section.
  func isTogether(with other: SortTerm) -> Bool { sectionBytes.elementsEqual(other.sectionBytes) }

  /// The value of the section.
  var section: AttributeScalar {
    let bytes = sectionBytes
    guard let tag = bytes.first else { return .null }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch tag {
    case 1: return .integer(rest.loadUnaligned(as: Int64.self))
    case 2: return .real(rest.loadUnaligned(as: Double.self))
    case 3: return .text(String(decoding: rest, as: UTF8.self))
    default: return .blob(Data(rest))
    }
  }

  /// A section's value as ``section`` reads it.
  static func bytes(of section: AttributeScalar) -> [UInt8] {
    switch section {
    case .null: []
    case .integer(let number): [1] + withUnsafeBytes(of: number, Array.init)
    case .real(let number): [2] + withUnsafeBytes(of: number + 0, Array.init)
    case .text(let text): [3] + Array(text.utf8)
    case .blob(let data): [4] + Array(data)
    }
  }
}

/// The memory that a list's rows and sort terms lie in. It only grows; a list that has changed much is
/// made anew with a new one. Snapshots keep it.
///
/// `@unchecked Sendable` because only the list's writer adds to it, and others but keep it.
package final class ListMemory: @unchecked Sendable {
  private var rows: RowMemory
  private var keeper = RowKeeper()
  private var blocks: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var capacity = 0
  /// How many rows were copied into it.
  private(set) var copies = 0
  /// How many sort terms lie in it.
  private(set) var termCount = 0

  private static let unit = 1 << 16

  /// - Parameter rows: The memory of rows that a list begins with.
  package init(_ rows: RowMemory = RowMemory()) { self.rows = rows }

  deinit { for block in blocks { block.deallocate() } }

  /// A copy of a row that is kept.
  func keep(_ row: RowPointer, of layout: EntityLayout) -> RowPointer {
    let held = keeper.keep(row, layout)
    rows.keep(held.block)
    copies += 1
    return held.row
  }

  /// How much is used for sort terms.
  struct Mark {
    fileprivate let blockCount: Int
    fileprivate let used: Int
    fileprivate let termCount: Int
  }

  var mark: Mark { Mark(blockCount: blocks.count, used: used, termCount: termCount) }

  /// Forgets the terms that were made since, of which nobody has one.
  func goBack(to mark: Mark) {
    used = blocks.count == mark.blockCount ? mark.used : 0
    termCount = mark.termCount
  }

  /// A sort term.
  func term(_ order: [UInt8], section: [UInt8]) -> SortTerm {
    let size = (SortTerm.header + order.count + section.count + 7) & ~7
    if used + size > capacity { grow(size) }
    let start = blocks[blocks.count - 1] + used
    used += size
    termCount += 1
    start.storeBytes(of: UInt32(order.count), as: UInt32.self)
    start.storeBytes(of: UInt32(section.count), toByteOffset: 4, as: UInt32.self)
    order.withUnsafeBytes { copy($0, to: start + SortTerm.header) }
    section.withUnsafeBytes { copy($0, to: start + SortTerm.header + order.count) }
    return SortTerm(start: UnsafeRawPointer(start))
  }

  /// A copy of another memory's term.
  func copy(_ term: SortTerm) -> SortTerm {
    self.term(Array(term.order), section: Array(term.sectionBytes))
  }

  private func copy(_ bytes: UnsafeRawBufferPointer, to start: UnsafeMutableRawPointer) {
    if let base = bytes.baseAddress { start.copyMemory(from: base, byteCount: bytes.count) }
  }

  private func grow(_ size: Int) {
    capacity = max(Self.unit, size)
    used = 0
    blocks.append(.allocate(byteCount: capacity, alignment: 8))
  }
}
