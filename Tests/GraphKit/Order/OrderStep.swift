/// One step of a program over a context and a child of it, about one object.
package enum OrderStep: CaseIterable, Sendable {
  case edit, delete, end, save
  case readBelow, editBelow, deleteBelow, saveBelow

  /// Whether it is a step of the child.
  var isBelow: Bool {
    switch self {
    case .edit, .delete, .end, .save: false
    case .readBelow, .editBelow, .deleteBelow, .saveBelow: true
    }
  }
}

extension [OrderStep] {
  /// All programs of a length, but for those that do what a shorter one does.
  package static func programs(of length: Int) -> [[OrderStep]] {
    if length == 0 { return [[]] }
    return programs(of: length - 1).flatMap { program in
      OrderStep.allCases.map { program + [$0] }
    }.filter(\.hasEffects)
  }

  /// Whether no step is without an effect by the steps before it.
  private var hasEffects: Bool {
    // What the next end of the event, the next save and the next read find.
    var (isPublished, isSaved, isRead) = (false, false, false)
    var (isEditedBelow, isDeleted) = (false, false)
    for step in self {
      switch step {
      case .edit:
        if isDeleted { return false }
        (isPublished, isSaved, isRead) = (false, false, false)
      case .delete:
        if isDeleted { return false }
        isDeleted = true
        (isPublished, isSaved, isRead) = (false, false, false)
      case .end:
        if isPublished { return false }
        (isPublished, isRead) = (true, false)
      case .save:
        if isSaved { return false }
        (isPublished, isSaved, isRead) = (true, true, false)
      case .readBelow:
        if isRead { return false }
        isRead = true
      case .editBelow, .deleteBelow:
        (isEditedBelow, isRead) = (true, true)
      case .saveBelow:
        if !isEditedBelow { return false }
        (isEditedBelow, isPublished, isSaved, isRead) = (false, false, false, false)
      }
    }
    return true
  }
}
