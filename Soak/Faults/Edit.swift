import Cauldron
import CauldronGraph
import Foundation

/// Changes the objects of a context as a save's entry in the book says.
enum Edit {
  /// What a save makes of the notes that every save changes.
  static func touch(_ number: Int) -> String { "touched by \(number)" }

  /// The number of the only shelf; not what a getter shows that cannot read.
  static let shelf = 7

  /// Everything that can fail is read before the first change.
  static func make(
    _ number: Int, size: Int, retires: Int?, longText: Bool = false, in context: LocalContext
  ) throws {
    let tally = try Tally.findFirst(in: context)
    let shelf = try Shelf.findFirst(in: context)
    let touched = Book.touched
    let others = try Note.findAll(where: \.batch == touched, in: context)
    let old = try retires.map { batch in try Note.findAll(where: \.batch == batch, in: context) }
    try tally?.load()
    for note in others { try note.load() }
    change(tally ?? Tally.create(in: context), number)
    let place = shelf ?? Shelf.create(in: context)
    if shelf == nil { place.number = Self.shelf }
    for position in 0..<size {
      let note = Note.create(in: context)
      note.batch = number
      note.position = position
      note.text = longText ? String(repeating: "x", count: 20_000) : "note \(position)"
      note.shelf = place
    }
    if number > touched { for note in others { note.text = touch(number) } }
    for note in old ?? [] { note.delete() }
  }

  private static func change(_ tally: Tally, _ number: Int) {
    tally.mask |= 1 << number
    tally.saves += 1
  }
}
