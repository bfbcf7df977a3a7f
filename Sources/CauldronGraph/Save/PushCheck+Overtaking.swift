import CauldronModel
import CauldronStore

// What a context's own edits leave for a moment, a child may have mended by a save of its own that lies
// on top of them and goes the same way: then nobody ever sees it.
extension PushCheck {
  /// Lets a reference pass that leads nowhere, if a later layer has it lead elsewhere: until then it is
  /// nil, as a delete rule would have made it. One that must not be nil stays to be judged.
  mutating func passes(
    _ reference: ReferenceVerdict.Reference, _ verdict: inout ReferenceVerdict
  ) -> Bool {
    guard !reference.property.isRequired, reference.property.ruleOfTarget != .noAction,
      let layer = later.last(where: { $0.touches(reference) }), layer.mends(reference)
    else { return false }
    trusted.insert(ObjectIdentifier(layer))
    verdict.pass(reference)
    return true
  }

  /// Whether an earlier layer was accepted for the sake of this one.
  func trusts(_ layer: Layer) -> Bool { trusted.contains(ObjectIdentifier(layer)) }
}

extension Layer {
  /// Whether the layer says what becomes of a reference.
  fileprivate func touches(_ reference: ReferenceVerdict.Reference) -> Bool {
    switch changes.change(reference.referrer) {
    case .updated(let update): update.brings(reference.property.index)
    case .deleted, .inserted: true
    case nil: false
    }
  }

  /// Whether the reference does not lead to the same object after the layer.
  fileprivate func mends(_ reference: ReferenceVerdict.Reference) -> Bool {
    guard let row = changes.change(reference.referrer)?.row else { return true }
    let index = reference.property.index
    return row.isNull(index) || row.slot(index) != reference.target.key
  }
}
