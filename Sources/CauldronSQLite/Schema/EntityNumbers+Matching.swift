import CauldronModel

/// Which row of `Z_PRIMARYKEY` is that of which entity of a model.
extension EntityNumbers {
  /// The names in the rows of Core Data's history, whose numbers are its own.
  private static let history: [Int64: String] = [
    16001: "CHANGE", 16002: "TRANSACTION", 16003: "TRANSACTIONSTRING",
  ]

  /// The file's number of each entity in the order of the model; nil where there is no row for it.
  ///
  /// Core Data's migration keeps the old name of an entity that was renamed: of the rows whose names are
  /// those of no entity it has the one that its former names tell, or else its place.
  func numbers(for model: ManagedObjectModel) -> [Int64?] {
    var left = lines.filter { Self.history[$0.number] != $0.name }
    var found: [Int64?] = model.entityLayouts.map { layout in
      left.firstIndex { $0.name == layout.name }.map { left.remove(at: $0).number }
    }
    for (index, layout) in model.entityLayouts.enumerated() where found[index] == nil {
      let names = layout.description.originalNames
      let row = left.firstIndex { names.contains($0.name) }
      found[index] = row.map { left.remove(at: $0).number }
    }
    for (index, layout) in model.entityLayouts.enumerated() where found[index] == nil {
      let parent = layout.superentity.map { found[Int($0.number) - 1] ?? 0 } ?? 0
      let siblings = left.indices.filter { left[$0].parent == parent }
      let row = siblings.first { left[$0].number == Int64(layout.number) }
      let isSole = siblings.count == 1 && !model.hasOther(than: layout, lacking: found)
      found[index] = (row ?? (isSole ? siblings.first : nil)).map { left.remove(at: $0).number }
    }
    return found
  }

  /// Why the numbers cannot be used; nil where they can.
  func mismatch(with model: ManagedObjectModel) -> SchemaCheck.Mismatch? {
    var known: [Int64: String] = [:]
    for (layout, number) in zip(model.entityLayouts, numbers(for: model)) {
      guard let number else {
        return SchemaCheck.Mismatch(what: "Z_PRIMARYKEY has no row for \(layout.name)")
      }
      if number < 1 {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY gives \(layout.name) the number \(number), and numbers count from 1")
      }
      if number > FileNumbers.greatest {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY gives \(layout.name) the number \(number); the greatest possible is"
            + " \(FileNumbers.greatest)", code: .storeUnsupported, hint: SchemaCheck.otherProgram)
      }
      if let other = known.updateValue(layout.name, forKey: number) {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY gives \(other) and \(layout.name) the number \(number)")
      }
    }
    return nil
  }

  /// The same with a number for each entity: one that has none which can be used gets that of its place, or
  /// one that is free.
  func complete(for model: ManagedObjectModel) -> [Int32] {
    let found = numbers(for: model)
    var used: Set<Int64> = []
    let usable = found.map { number in
      number.flatMap { 1...FileNumbers.greatest ~= $0 && used.insert($0).inserted ? $0 : nil }
    }
    return zip(model.entityLayouts, usable).map { layout, number in
      if let number { return Int32(number) }
      var free = Int64(layout.number)
      while !used.insert(free).inserted { free += 1 }
      return Int32(free)
    }
  }
}

extension ManagedObjectModel {
  /// Whether another entity below the same one has no number.
  fileprivate func hasOther(than layout: EntityLayout, lacking found: [Int64?]) -> Bool {
    zip(entityLayouts, found).contains { other, number in
      number == nil && other !== layout && other.superentity === layout.superentity
    }
  }
}
