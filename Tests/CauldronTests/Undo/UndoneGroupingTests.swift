import Cauldron
import TestSupport
import Testing

/// Putting objects into a new folder, and dissolving a folder, with all kinds of rules: undone, made again,
/// saved in between.
@Suite(.againstHanging, .ownThread) struct UndoneGroupingTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let old: Drawer
  private let sheet: Leaflet

  init() throws {
    bench = try Bench(.file, model: ManagedObjectModel(Drawer.self, Leaflet.self))
    context = bench.child()
    old = Drawer.named("old", in: context)
    sheet = Leaflet.named("sheet", in: context)
    sheet.needed = old
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
  }

  /// When saves are made.
  enum Saving: Int, CaseIterable { case never, once, always }

  private func shown(_ context: ManagedObjectContext) throws -> [String] {
    let drawers = try Drawer.findAll(sortedBy: \.name, in: context)
    let sheets = try Leaflet.findAll(sortedBy: \.name, in: context)
    return drawers.map { "\($0.name) in \($0.outer?.name ?? "-")" } + sheets.map(\.places)
  }

  /// Undoes and makes again what a block does, as one group.
  private func check(_ saving: Saving, _ change: () throws -> Void) throws {
    let before = try shown(context)
    context.undoManager?.beginUndoGrouping()
    try change()
    context.processPendingChanges()
    context.undoManager?.endUndoGrouping()
    let after = try shown(context)
    #expect(before != after)
    if saving != .never { try context.saveAndWait(toPersistentStore: true) }
    for round in 0..<6 {
      let isUndo = round.isMultiple(of: 2)
      if isUndo { try context.undo() } else { try context.redo() }
      #expect(try shown(context) == (isUndo ? before : after), "\(round)")
      if saving == .always { try context.saveAndWait(toPersistentStore: true) }
    }
    try context.undo()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try shown(bench.committed()) == before)
  }

  @Test(arguments: Saving.allCases, Leaflet.Way.allCases)
  func `a sheet goes back where the new drawer that took it goes`(
    _ saving: Saving, _ way: Leaflet.Way
  ) throws {
    try check(saving) { sheet.lie(in: Drawer.named("new", in: context), way) }
  }

  @Test(arguments: Saving.allCases, Leaflet.Way.allCases)
  func `a drawer that was emptied and deleted goes again without its sheets`(
    _ saving: Saving, _ way: Leaflet.Way
  ) throws {
    sheet.lie(in: Drawer.named("full", in: context), way)
    try context.saveAndWait(toPersistentStore: true)
    try check(saving) {
      let full = try #require(try Drawer.findFirst(\.name, "full", in: context))
      sheet.lie(in: way == .needed ? old : nil, way)
      full.delete()
    }
  }

  @Test(arguments: Saving.allCases, Leaflet.Way.allCases)
  func `a new sheet goes without the drawer that it was put into`(
    _ saving: Saving, _ way: Leaflet.Way
  ) throws {
    try check(saving) {
      let new = Leaflet.named("new", in: context)
      new.needed = old
      new.lie(in: old, way)
    }
  }

  @Test(arguments: Saving.allCases, Leaflet.Way.allCases)
  func `a sheet that was taken out and deleted goes again without its drawer`(
    _ saving: Saving, _ way: Leaflet.Way
  ) throws {
    sheet.lie(in: old, way)
    try context.saveAndWait(toPersistentStore: true)
    try check(saving) {
      sheet.lie(in: nil, way)
      sheet.delete()
    }
  }

  @Test(arguments: Saving.allCases, [false, true])
  func `drawers in drawers come out of the new ones, from one event and from several`(
    _ saving: Saving, _ isParted: Bool
  ) throws {
    let part = isParted ? { context.processPendingChanges() } : {}
    try check(saving) {
      let (inner, outer) = (Drawer.named("inner", in: context), Drawer.named("outer", in: context))
      part()
      inner.outer = outer
      part()
      old.outer = inner
      part()
      sheet.lie(in: inner, .drawer)
      part()
      sheet.lie(in: outer, .drawer)
      sheet.lie(in: outer, .place)
    }
  }

  @Test(arguments: Saving.allCases, [false, true])
  func `drawers in drawers are dissolved again, in one event and in several`(
    _ saving: Saving, _ isParted: Bool
  ) throws {
    let part = isParted ? { context.processPendingChanges() } : {}
    let (inner, outer) = (Drawer.named("inner", in: context), Drawer.named("outer", in: context))
    (inner.outer, old.outer) = (outer, inner)
    sheet.lie(in: inner, .drawer)
    try context.saveAndWait(toPersistentStore: true)
    try check(saving) {
      let drawers = try Drawer.findAll(sortedBy: \.name, in: context)
      let (inner, old, outer) = (drawers[0], drawers[1], drawers[2])
      old.outer = nil
      sheet.lie(in: old, .drawer)
      part()
      inner.outer = nil
      outer.delete()
      part()
      inner.delete()
    }
  }

  @Test(arguments: Saving.allCases)
  func `the old drawer comes back whole where it went as the sheet was moved`(
    _ saving: Saving
  ) throws {
    for way in [Leaflet.Way.drawer, .place, .cover, .denied] { sheet.lie(in: old, way) }
    try context.saveAndWait(toPersistentStore: true)
    try check(saving) {
      let new = Drawer.named("new", in: context)
      let last = try #require(try Drawer.findFirst(\.name, "old", in: context))
      for way in Leaflet.Way.allCases where way != .marks { sheet.lie(in: new, way) }
      last.delete()
    }
  }

  @Test func `what came later is still not taken along, and nothing is changed`() throws {
    let new = Drawer.named("new", in: context)
    sheet.drawer = new
    context.processPendingChanges()
    let id = new.objectID
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      let other = Leaflet.named("other", in: local.context)
      other.needed = try Drawer.findFirst(\.name, "old", in: local.context)
      other.drawer = try local.context.existingObject(with: id) as? Drawer
      try local.context.save()
    }
    context.processPendingChanges()
    let before = try shown(context)
    let error = cauldronError { try context.undo() }
    #expect(error?.code == .undoBlocked && error?.objectIDs.contains(sheet.objectID) == false)
    #expect(try shown(context) == before && sheet.drawer === new)
  }

  @Test func `a sheet that a child has put back into the new drawer later is in the way`() throws {
    let new = Drawer.named("new", in: context)
    sheet.drawer = old
    context.processPendingChanges()
    let (id, drawer) = (sheet.objectID, new.objectID)
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      let sheet = try local.context.existingObject(with: id) as? Leaflet
      sheet?.drawer = try local.context.existingObject(with: drawer) as? Drawer
      try local.context.save()
    }
    context.processPendingChanges()
    #expect(cauldronError { try context.undo() }?.code == .undoBlocked)
    #expect(sheet.drawer === new)
  }
}

@Entity final class Drawer: ManagedObject {
  var name: String
  @Relationship(inverse: \Leaflet.drawer, deleteRule: .cascade) var sheets: ToMany<Leaflet>
  @Relationship(inverse: \Leaflet.place, deleteRule: .cascade) var places: OrderedToMany<Leaflet>
  @Relationship(inverse: \Leaflet.cover, deleteRule: .cascade) var cover: Leaflet?
  @Relationship(inverse: \Leaflet.marks, deleteRule: .cascade) var marked: ToMany<Leaflet>
  @Relationship(inverse: \Leaflet.needed, deleteRule: .nullify) var needing: ToMany<Leaflet>
  @Relationship(inverse: \Leaflet.denied, deleteRule: .deny) var denying: ToMany<Leaflet>
  @Relationship(inverse: \Leaflet.owner, deleteRule: .nullify) var owned: ToMany<Leaflet>
  @Relationship(inverse: \Drawer.outer, deleteRule: .cascade) var inner: ToMany<Drawer>
  @Relationship var outer: Drawer?

  static func named(_ name: String, in context: ManagedObjectContext) -> Drawer {
    let drawer = create(in: context)
    drawer.name = name
    return drawer
  }
}

@Entity final class Leaflet: ManagedObject {
  var name: String
  @Relationship var drawer: Drawer?
  @Relationship(deleteRule: .cascade) var place: Drawer?
  @Relationship(deleteRule: .cascade) var cover: Drawer?
  @Relationship(deleteRule: .cascade) var marks: ToMany<Drawer>
  @Relationship(.required) var needed: Drawer?
  @Relationship var denied: Drawer?
  @Relationship(deleteRule: .cascade) var owner: Drawer?

  /// The relationship by which a sheet lies in a drawer.
  enum Way: CaseIterable { case drawer, place, cover, marks, needed, denied, owner }

  static func named(_ name: String, in context: ManagedObjectContext) -> Leaflet {
    let sheet = create(in: context)
    sheet.name = name
    return sheet
  }

  /// Where it lies, by each relationship.
  var places: String {
    let ends = [drawer, place, cover, needed, denied, owner].map { $0?.name ?? "-" }
    return "\(name): \((ends + marks.map(\.name).sorted()).joined(separator: " "))"
  }

  func lie(in drawer: Drawer?, _ way: Way) {
    switch way {
    case .drawer: self.drawer = drawer
    case .place: place = drawer
    case .cover: cover = drawer
    case .marks: marks = drawer.map { [$0] } ?? []
    case .needed: needed = drawer
    case .denied: denied = drawer
    case .owner: owner = drawer
    }
  }
}
