import Cauldron

/// Ten attributes: four texts, three integers, two doubles, one truth value.
@Entity final class Row: ManagedObject {
  var title: String
  var author: String
  var place: String
  var note: String
  var year: Int = 0
  var pages: Int = 0
  var copies: Int = 0
  var price: Double = 0
  var weight: Double = 0
  var isLent: Bool = false
}

extension Row {
  /// Creates rows with values that differ from one to the next.
  static func insert(_ count: Int, in context: LocalContext) {
    for number in 0..<count {
      let row = create(in: context)
      row.title = "The title of book \(number)"
      row.author = "Author \(number % 1_000)"
      row.place = "Shelf \(number % 77)"
      row.note = "Bought second-hand"
      row.year = 1_900 + number % 120
      row.pages = number % 900
      row.copies = number % 7
      row.price = Double(number % 5_000) / 100
      row.weight = 0.3
      row.isLent = number % 3 == 0
    }
  }
}
