/// What one event did, on its way to the store.
struct Deed {
  /// The save that it belongs to, once it was handed on.
  struct Source {
    let session: Session
    /// Grows with each save.
    let number: Int
  }

  let edits: Edits
  /// Nil for what nobody has saved yet.
  var source: Source?
  /// The session that has saved it first; nil for what is not saved yet.
  private(set) var maker: Session?
  /// The number of the save that has come back with it.
  var returned: Int?

  init(_ edits: Edits) { self.edits = edits }

  /// The same on its way up.
  func saved(_ source: Source?) -> Deed {
    var deed = Deed(edits)
    deed.source = source
    deed.maker = maker ?? source?.session
    return deed
  }

  /// The same, back where it was made.
  var comeBack: Deed {
    var deed = Deed(edits)
    deed.returned = source?.number
    deed.maker = maker
    return deed
  }
}
