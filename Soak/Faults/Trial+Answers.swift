import Cauldron
import CauldronGraph
import CauldronModel
import Foundation

// Saves, and what is said about them.
extension Trial {
  /// Makes changes and saves them.
  func attempt(
    _ size: Int, retires: Int? = nil, longText: Bool = false, in context: ManagedObjectContext,
    _ save: () throws -> SaveOutcome
  ) throws {
    guard let number = try edit(size, retires, longText, in: context) else { return }
    try ask([number], in: context, save)
  }

  /// Makes the changes of a new entry; nil where what they need cannot be read.
  func edit(
    _ size: Int, _ retires: Int?, _ longText: Bool, in context: ManagedObjectContext
  ) throws -> Int? {
    let number = book.begin(size, retires: retires)
    do {
      try context.performAndWait {
        try Edit.make(number, size: size, retires: retires, longText: longText, in: $0)
      }
      return number
    } catch {
      check(error, "reading for save \(number)")
      book.answer([number], .refused)
      return nil
    }
  }

  /// Saves, notes the answer, and compares it with the file.
  func ask(
    _ numbers: [Int], in context: ManagedObjectContext, _ save: () throws -> SaveOutcome
  ) throws {
    do {
      switch try save() {
      case .saved:
        book.carryPending()
        askedIn = nil
      case .noChanges: find(.falseAnswer, "save \(numbers) had nothing to save")
      }
    } catch let error as CauldronError where error.code == .storeCommitOutcomeUnknown {
      book.answer(numbers, .unknown)
      askedIn = context
    } catch {
      check(error, "save \(numbers)")
      askedIn = context
    }
    try checkFile("after save \(numbers)")
  }

  /// Looks whether an error tells what happened.
  func check(_ error: any Error, _ what: String) {
    guard let error = error as? CauldronError else {
      return find(.falseAnswer, "\(what) threw \(type(of: error)): \(error)")
    }
    guard !allowed.contains(error.code) else { return }
    find(.falseAnswer, "\(what) threw \(error.code.rawValue): \(error)")
  }

  private var allowed: Set<CauldronError.Code> {
    switch fault.place {
    case .store(_, let moment): return [moment.code, .storeCommitOutcomeUnknown]
    case .file(let method, let code):
      let unknown = CauldronError.Code.storeCommitOutcomeUnknown
      if method == .device { return [.storeIO, .storeCannotOpen, unknown] }
      switch code {
      case .busy: return [.storeBusy, unknown]
      case .full: return [.storeDiskFull, unknown]
      case .cannotOpen: return [.storeCannotOpen, unknown]
      case .shortRead, .damaged: return [.storeIO, .storeCorrupt, unknown]
      default: return [.storeIO, unknown]
      }
    }
  }
}
