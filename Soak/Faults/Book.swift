import CauldronModel

/// What was saved, and what the library said about it.
struct Book {
  enum Answer {
    /// Refused so far, and still waiting in a context.
    case pending
    case saved
    /// Refused, and taken back.
    case refused
    case unknown
  }

  /// One save: it adds notes, may delete those of an older one, and says so in the tally.
  struct Entry {
    let number: Int
    let size: Int
    let retires: Int?
    var answer: Answer
  }

  /// The batch whose notes every save changes.
  static let touched = 3

  private(set) var entries: [Entry] = []

  var next: Int { entries.count }
  var hasPending: Bool { entries.contains { $0.answer == .pending } }
  var hasUnknown: Bool { entries.contains { $0.answer == .unknown } }

  /// Lists the next save, and answers its number.
  mutating func begin(_ size: Int, retires: Int? = nil) -> Int {
    entries.append(Entry(number: next, size: size, retires: retires, answer: .pending))
    return next - 1
  }

  mutating func answer(_ numbers: [Int], _ answer: Answer) {
    for number in numbers { entries[number].answer = answer }
  }

  /// What waited was carried along.
  mutating func carryPending() {
    for index in entries.indices
    where entries[index].answer == .pending || entries[index].answer == .unknown {
      entries[index].answer = .saved
    }
  }

  /// What waited was taken back.
  mutating func discardPending() {
    for index in entries.indices where entries[index].answer == .pending {
      entries[index].answer = .refused
    }
  }

  /// What nobody knew is known by now.
  mutating func settleUnknown(by contents: Contents) {
    for index in entries.indices where entries[index].answer == .unknown {
      entries[index].answer = contents.has(index) ? .saved : .refused
    }
  }
}

extension Book {
  /// Compares what was said with what a file has.
  func check(_ file: FileContents, _ place: String) -> [Finding] {
    var findings = file.problems.map { Finding(.torn, "\(place): \($0)") }
    guard file.isStore else {
      if entries.contains(where: { $0.answer == .saved }) {
        findings.append(Finding(.lost, "\(place): the tables are gone"))
      }
      return findings
    }
    let contents = file.contents
    for entry in entries {
      let isThere = contents.has(entry.number)
      switch entry.answer {
      case .saved where !isThere:
        findings.append(Finding(.lost, "\(place): save \(entry.number) was acknowledged"))
      case .pending where isThere, .refused where isThere:
        findings.append(
          Finding(.falseAnswer, "\(place): save \(entry.number) was refused, but is there"))
      default: break
      }
    }
    return findings + wholeness(contents, place)
  }

  private func wholeness(_ contents: Contents, _ place: String) -> [Finding] {
    var findings: [Finding] = []
    let retired = Set(entries.filter { contents.has($0.number) }.compactMap(\.retires))
    for entry in entries {
      let expected = contents.has(entry.number) && !retired.contains(entry.number) ? entry.size : 0
      let found = contents.batches[entry.number] ?? 0
      if found != expected {
        findings.append(
          Finding(.torn, "\(place): save \(entry.number) has \(found) of \(expected) notes"))
      }
    }
    for batch in contents.batches.keys where batch < 0 || batch >= entries.count {
      findings.append(Finding(.torn, "\(place): notes of a save \(batch), which there was not"))
    }
    if contents.mask >> entries.count != 0 {
      findings.append(Finding(.torn, "\(place): the mask is \(contents.mask)"))
    }
    let last = entries.last { contents.has($0.number) && $0.number > Self.touched }?.number
    let texts = contents.texts[Self.touched] ?? []
    if let last, !texts.isEmpty, texts != [Edit.touch(last)] {
      findings.append(Finding(.torn, "\(place): save \(last) left the texts \(texts.sorted())"))
    }
    return findings
  }
}
