import Cauldron

extension RiskRun {
  /// Creates a binder with members of others, moves the members of one and deletes it, or moves one.
  mutating func own(_ action: RiskAction, _ op: Operation, _ context: ManagedObjectContext) {
    let binders = oracle.living(.binder, place)
    let sheets = oracle.living(.sheet, place)
    switch action {
    case .gather:
      let number = oracle.make(.binder)
      story("create \(name(number)), with sheets")
      let binder = RiskKind.binder.create(number, in: context)
      oracle.insert(number, [.value: 0], place)
      register(binder, number)
      for (index, sheet) in sheets.enumerated() where op[2] >> (index % 8) & 1 == 1 {
        move(sheet, to: number, isFromOwner: op[3] % 2 == 0, context)
      }
    case .dissolve:
      guard !binders.isEmpty else { return }
      let number = binders[op[2] % binders.count]
      let rest = binders.filter { $0 != number }
      let target = rest.isEmpty || op[3] % 2 == 0 ? nil : rest[op[3] % rest.count]
      for sheet in oracle.members(of: number, .binder, place) {
        move(sheet, to: target, isFromOwner: op[3] % 3 == 0, context)
      }
      delete(number, context)
    default:
      guard !binders.isEmpty, !sheets.isEmpty else { return }
      let sheet = sheets[op[2] % sheets.count]
      move(sheet, to: binders[op[3] % binders.count], isFromOwner: op[3] % 2 == 0, context)
    }
  }

  private mutating func move(
    _ number: Int, to owner: Int?, isFromOwner: Bool, _ context: ManagedObjectContext
  ) {
    guard let sheet = object(number, context) as? Sheet else { return }
    let row = row(sheet)
    if row[.binder] == owner { return }
    let binder = owner.flatMap { object($0, context) } as? Binder
    if owner != nil, binder == nil { return }
    story(
      "\(name(number)).binder = \(owner.map(name) ?? "nil")\(isFromOwner ? ", by its sheets" : "")")
    if let binder, isFromOwner {
      binder.sheets.insert(sheet)
    } else {
      sheet.binder = binder
    }
    oracle.edit(number, .binder, to: owner, shown: row, place)
    shown[place]?[number]?[.binder] = owner
  }

  /// Other contexts lose an object that comes back as another one, and with it what they did to it.
  private mutating func forget(_ number: Int) {
    for other in setup.places where other != place && held[other]?[number] != nil {
      if oracle.change(number, other) != nil { isOver = true }
      held[other]?[number] = nil
    }
  }

  /// Finds the objects that an undo or a redo has created: they have other IDs than before.
  mutating func findAgain(_ context: ManagedObjectContext) throws {
    for kind in family.kinds {
      for object in try kind.objects(in: context) where numbers[object.objectID] == nil {
        guard let number = (object as? any RiskObject)?.number else { continue }
        if ids[number] != nil { forget(number) }
        register(object, number)
      }
    }
  }
}
