import Foundation

/// The rows that a client shows: those that it has asked for, carried on by the changes of the
/// stream alone.
struct Replica {
  /// A place in the list.
  private struct Slot {
    /// Nil where the row came and was not asked for yet.
    var id: String?
    /// Nil where the row came or changed, and was not asked for since.
    var row: Row?
  }

  private var slots: [Slot] = []
  private var sections: [ListChange.Section] = []

  var count: Int { slots.count }
  var sectionCount: Int { sections.count }

  /// Goes on to the next version.
  mutating func apply(_ change: ListChange) throws {
    sections = change.sections
    if change.isReload {
      slots = Array(repeating: Slot(), count: change.count)
      return
    }
    let moved = Dictionary(uniqueKeysWithValues: change.moves.map { ($0[1], slots[$0[0]].id) })
    let gone = Set(change.deletions + change.moves.map { $0[0] })
    let came = Set(change.insertions + change.moves.map { $0[1] })
    var kept = slots.enumerated().lazy.filter { !gone.contains($0.offset) }.makeIterator()
    var result: [Slot] = []
    for place in 0..<(slots.count - gone.count + came.count) {
      if came.contains(place) {
        result.append(Slot(id: moved[place] ?? nil))
      } else if let slot = kept.next() {
        result.append(slot.element)
      }
    }
    for place in change.updates { result[place].row = nil }
    slots = result
    guard slots.count == change.count else {
      throw WrongAnswer(
        "Version \(change.version) has \(change.count) rows, its changes lead to \(slots.count).")
    }
  }

  /// Compares what is shown with what the server has, and shows that from now on.
  mutating func compare(with rows: [Row]) throws {
    guard rows.count == slots.count else {
      throw WrongAnswer("The server has \(rows.count) rows, the stream told of \(slots.count).")
    }
    for (place, row) in rows.enumerated() {
      let slot = slots[place]
      guard slot.id == nil || slot.id == row.id, slot.row == nil || slot.row == row else {
        throw WrongAnswer("Row \(place) is \(row), and shown is \(slot).")
      }
      slots[place] = Slot(id: row.id, row: row)
    }
    try checkSections()
  }

  /// Each row stands in the section of its letter, and in order there.
  private func checkSections() throws {
    let rows = slots.compactMap(\.row)
    guard Set(rows.map(\.id)).count == rows.count else { throw WrongAnswer("A row came twice.") }
    guard sections.reduce(0, { $0 + $1.count }) == rows.count else {
      throw WrongAnswer("The sections count \(sections) in a list of \(rows.count).")
    }
    var start = 0
    for section in sections {
      let names = rows[start..<(start + section.count)].map(\.name)
      start += section.count
      let isRight = names.allSatisfy { $0.firstLetter == section.name }
      let isSorted = zip(names, names.dropFirst()).allSatisfy {
        !$1.utf8.lexicographicallyPrecedes($0.utf8)
      }
      guard isRight, isSorted else { throw WrongAnswer("Section \(section.name) holds others.") }
    }
  }
}

extension String {
  fileprivate var firstLetter: String {
    prefix(1).folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).uppercased()
  }
}
