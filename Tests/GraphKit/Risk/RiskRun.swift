import Cauldron

/// Runs operations with conflicts on contexts and on dictionaries, and tells where they differ.
///
/// An operation is four numbers, as those of `GraphRun`. A run ends at its first difference, since
/// what follows from a defect is no news.
package struct RiskRun {
  package typealias Operation = [Int]

  let family: RiskFamily
  let setup: RiskSetup
  let stage: RiskStage
  var oracle: RiskOracle
  var contexts: [RiskPlace: ManagedObjectContext] = [:]
  var ids: [Int: ManagedObjectID] = [:]
  var numbers: [ManagedObjectID: Int] = [:]
  /// The objects that were read, which stay as they were read until something renews them.
  var held: [RiskPlace: [Int: ManagedObject]] = [:]
  /// What they have shown last.
  var shown: [RiskPlace: [Int: RiskRow]] = [:]
  /// What contexts have fetched since their objects were looked at, which these may have taken in.
  var passing: [RiskPlace: [Int: [RiskRow]]] = [:]
  /// What saves have made of objects at one level or another; nil where they were deleted.
  var accepted: [Int: [RiskRow?]] = [:]
  /// The objects of which contexts have saved something.
  var sent: [RiskPlace: Set<Int>] = [:]
  /// The objects that children's saves have changed and changed back.
  var setBack: [RiskPlace: Set<Int>] = [:]
  /// The contexts whose objects must show what is fetched.
  var following: Set<RiskPlace> = []
  var records: [RiskPlace: RiskRecords] = [:]
  var history = RiskHistory()
  var report = RiskReport()
  /// The edits of a running event that are not published; nil where all are seen at once.
  var deferred: [RiskDeferred]?
  /// The lists that ride along.
  var lists: [RiskList] = []
  var place = RiskPlace.main
  /// Whether what comes next cannot be told from the dictionaries, so that the run ends.
  var isOver = false

  /// Runs operations until the first difference.
  package static func run(
    _ operations: [Operation], _ family: RiskFamily, _ setup: RiskSetup
  ) throws -> RiskReport {
    var run = try RiskRun(family, setup)
    do {
      try run.populate()
      for operation in operations where !run.isOver {
        run.report.steps += 1
        try run.step(operation)
      }
      try run.finish()
    } catch let finding as RiskFinding {
      run.report.difference = finding.description
      run.report.aspect = finding.aspect
    }
    try? run.stage.stack.close()
    return run.report
  }

  /// A shorter list that differs in the same way.
  package static func shrunk(
    _ operations: [Operation], _ family: RiskFamily, _ setup: RiskSetup
  ) throws -> [Operation] {
    let wanted = try run(operations, family, setup).gist
    var list = operations
    var size = max(list.count / 2, 1)
    while size > 0 {
      var start = 0
      while start < list.count {
        var shorter = list
        shorter.removeSubrange(start..<min(start + size, list.count))
        if try run(shorter, family, setup).gist == wanted { list = shorter } else { start += size }
      }
      size /= 2
    }
    return list
  }

  private init(_ family: RiskFamily, _ setup: RiskSetup) throws {
    self.family = family
    self.setup = setup
    stage = try RiskStage(setup)
    oracle = RiskOracle(setup)
  }

  /// Makes the first objects, and saves them.
  private mutating func populate() throws {
    for place in setup.places { open(place) }
    let top = setup.chain(.main).last ?? .main
    guard let context = contexts[top] else { return }
    try context.performAndWait { local in
      var made: [RiskKind: [(Int, ManagedObject)]] = [:]
      for kind in RiskKind.allCases where family.kinds.contains(kind) {
        for index in 0..<kind.population {
          let number = oracle.make(kind)
          let object = kind.create(number, in: local.context)
          var row: RiskRow = [.value: 0]
          if kind == .card { row[.weight] = 0 }
          if kind == .label, index < 3 { row[.name] = index }
          let owners = kind.properties.compactMap(\.destination).first.flatMap { made[$0] } ?? []
          if let owner = owners.isEmpty ? nil : owners[index % owners.count] {
            link(object, number, to: owner, kind, &row)
          }
          (object as? Label)?.name = row[.name].map(RiskProperty.text)
          made[kind, default: []].append((number, object))
          oracle.file[number] = row
        }
      }
      try local.context.save()
      for (number, object) in made.values.joined() {
        ids[number] = object.objectID
        numbers[object.objectID] = number
      }
    }
    try openLists()
    try compareAll()
  }

  /// Every other pair is linked at first; other references always.
  private mutating func link(
    _ object: ManagedObject, _ number: Int, to owner: (Int, ManagedObject), _ kind: RiskKind,
    _ row: inout RiskRow
  ) {
    switch (object, owner.1) {
    case (let guest as Guest, let seat as Seat):
      if number % 2 == 0 { return }
      guest.seat = seat
      row[.seat] = owner.0
      oracle.file[owner.0]?[.guest] = number
    case (let sheet as Sheet, let binder as Binder):
      sheet.binder = binder
      row[.binder] = owner.0
    case (let part as Part, let holder as Holder):
      part.holder = holder
      row[.holder] = owner.0
    default: return
    }
  }

  /// Makes a context anew.
  mutating func open(_ place: RiskPlace) {
    held[place] = [:]
    shown[place] = [:]
    (sent[place], passing[place]) = ([], [:])
    let context = stage.context(place, setup)
    let merges = setup.merging.contains(place)
    contexts[place] = context
    context.performAndWait { local in
      local.context.automaticallyMergesChangesFromParent = merges
      if undoes { local.context.undoManager = UndoManager() }
    }
    following.remove(place)
    if merges { following.insert(place) }
    records[place] = RiskRecords()
    oracle.layers[place] = nil
  }

  /// Has an undo take back what a block changes.
  private mutating func noting(_ work: (inout RiskRun) throws -> Void) rethrows {
    let before = oracle.layers[place]
    try work(&self)
    note(since: before)
  }

  private mutating func step(_ op: Operation) throws {
    // An undo beside edits of others is another matter.
    place = family == .undo ? .main : setup.places[op[1] % setup.places.count]
    let isRisky = op[1] / 10 % 4 == 0
    let giving = history.deleters.sorted { $0.key < $1.key }.first
    if let giving, op[1] / 100 % 5 == 0 { return try giveUpDeletion(giving.key, giving.value) }
    switch family.action(op[0]) {
    case .save: try save(op)
    case .saveUp: try saveUp(op)
    case .rollback: rollback(place)
    case .discard: discard()
    case .undo: try reverse(isRedo: false)
    case .redo: try reverse(isRedo: true)
    case .plant: try plant(op)
    case .part: try part(op)
    case .refuse: try noting { try $0.refuse(op) }
    case .event: try runEvent(op)
    case .task: try runTask(op)
    case let action:
      let before = oracle.layers[place]
      guard let context = contexts[place] else { return }
      try context.performAndWait { local in
        try edit(action, op, isRisky: isRisky, local.context)
        local.context.processPendingChanges()
      }
      if before?.changes != oracle.layers[place]?.changes {
        oracle.layers[place]?.isEdited = true
      }
      if action != .refresh, action != .revert { note(since: before) }
    }
    notePassing()
    if !isOver { try compareAll(full: report.steps % 4 == 0) }
  }
}
