import Cauldron

extension Project {
  /// Prints the items with their labels and, in their order, their parts.
  func show() {
    print("\(name):")
    for item in items.sorted(by: { $0.title < $1.title }) {
      let labels = item.labels.map(\.name).sorted().map { " #\($0)" }.joined()
      print("  \(item.title)\(labels)")
      for part in item.parts { print("    \(part.isDone ? "x" : "-") \(part.title)") }
    }
  }
}

/// Prints how many objects of each kind there are.
func printCounts(_ what: String, _ context: ManagedObjectContext) throws {
  let counts = try (Project.count(in: context), Item.count(in: context), Label.count(in: context))
  print("\(what): \(counts.0) projects, \(counts.1) items, \(counts.2) labels")
}
