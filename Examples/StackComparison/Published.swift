/// What others have measured with Core Data, in milliseconds.
enum Published {
  /// Reading rows of ten attributes on an iPhone 6s.
  static let fetch = [
    100: "2.6–3.6", 1_000: "5–21.6", 10_000: "56–112", 100_000: "498–539",
    // Two stacks: the main context on the store; and a background fetch that is handed to it.
    19_766: "A 51; B 102, 59 on main", 119_766: "A 231; B 613, 378 on main",
    740_300: "A 1,354; B 1,920, 555 on main",
  ]

  /// A results controller in the main context that is handed what a background fetch has found, by
  /// `self IN`, with which it shows no inserts any more; and what handing the objects over takes.
  static let list = [
    19_766: "A 51; B 102, 59 on main, no inserts",
    119_766: "A 231; B 613, 378 on main, no inserts", 740_300: "A 1,354; B 1,920, 555 on main",
  ]

  /// Inserting and saving rows of ten attributes on an iPhone 6s.
  static let insert = [
    100: "14–18", 1_000: "26–65", 10_000: "302–573", 100_000: "3,400–3,500",
  ]
}
