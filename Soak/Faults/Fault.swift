/// One fault, and what runs meanwhile: all that is needed to repeat it.
struct Fault: Equatable, CustomStringConvertible {
  enum Place: Equatable {
    case file(FileMethod, FileCode)
    case store(StoreMethod, StoreMoment)
  }

  /// For how long a method fails.
  enum Duration: String, CaseIterable {
    case once
    /// Until the workload has ended.
    case ever
    /// Also while the stack is closed.
    case closing
  }

  let workload: Workload
  let place: Place
  /// The number of the call that fails, from 1 on; 0 for none.
  let call: Int
  let duration: Duration

  /// Its recipe, such as `chain/xSync/IOERR_FSYNC/3/once`.
  var description: String {
    switch place {
    case .file(let method, let code):
      "\(workload)/\(method.rawValue)/\(code.rawValue)/\(call)/\(duration)"
    case .store(let method, let moment):
      "\(workload)/\(method.rawValue)/\(moment.rawValue)/\(call)/\(duration)"
    }
  }

  init(_ workload: Workload, _ place: Place, _ call: Int, _ duration: Duration) {
    self.workload = workload
    self.place = place
    self.call = call
    self.duration = duration
  }

  init?(_ recipe: String) {
    let parts = recipe.split(separator: Character("/")).map { String($0) }
    guard parts.count == 5, let workload = Workload(rawValue: parts[0]),
      let call = Int(parts[3]), let duration = Duration(rawValue: parts[4])
    else { return nil }
    let place: Place
    if let method = FileMethod(rawValue: parts[1]), let code = FileCode(rawValue: parts[2]) {
      place = .file(method, code)
    } else if let method = StoreMethod(rawValue: parts[1]),
      let moment = StoreMoment(rawValue: parts[2])
    {
      place = .store(method, moment)
    } else {
      return nil
    }
    self.init(workload, place, call, duration)
  }

  /// The same for all places that are called equally often.
  var countingKey: String {
    switch place {
    case .file(let method, let code):
      "\(workload)/\(method)" + (code == .shortRead ? "/\(code)" : "")
    case .store(let method, _): "\(workload)/\(method)"
    }
  }

  /// Whether what was refused is asked for again afterwards, or taken back.
  var triesAgain: Bool { call.isMultiple(of: 2) == (duration == .once) }
}

/// What runs while something fails.
enum Workload: String, CaseIterable {
  /// Opening where there is no file.
  case create
  /// Opening a store that was closed.
  case open
  /// Opening a store whose last process was killed.
  case recover
  /// Opening a store of another model, which is copied and migrated.
  case migrate
  /// Saves of one context on the store.
  case save
  /// The same with a log that is brought into the file meanwhile.
  case checkpoint
  /// Saves through three levels.
  case chain
  /// Fetches, counts, faults and walks.
  case fetch
  /// Creation of more objects than a block of keys has.
  case keys
  case close

  /// Whether the stack is opened while something fails.
  var opens: Bool { [.create, .open, .recover, .migrate].contains(self) }
}
