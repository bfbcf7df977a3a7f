import Cauldron

extension RiskRun {
  /// Leads an end elsewhere, from either side.
  mutating func link(
    _ action: RiskAction, _ op: Operation, isRisky: Bool, _ context: ManagedObjectContext
  ) {
    let seats = oracle.living(.seat, place)
    let guests = oracle.living(.guest, place)
    guard !seats.isEmpty, !guests.isEmpty else { return }
    let seat = seats[op[2] % seats.count]
    let guest = guests[op[2] / 7 % guests.count]
    let isFree = [seat, guest].allSatisfy { oracle.isFree($0, place) }
    guard isRisky || isFree else { return }
    let fromSeat = op[3] % 2 == 0
    switch action {
    case .link where fromSeat: setEnd(seat, .guest, to: guest, context)
    case .link: setEnd(guest, .seat, to: seat, context)
    case .unlink where fromSeat: setEnd(seat, .guest, to: nil, context)
    case .unlink: setEnd(guest, .seat, to: nil, context)
    default:
      let other = seats[(op[2] + 1) % seats.count]
      guard other != seat, let a = object(seat, context), let b = object(other, context) else {
        return
      }
      let (first, second) = (row(a)[.guest], row(b)[.guest])
      setEnd(seat, .guest, to: second, context)
      setEnd(other, .guest, to: first, context)
    }
  }

  /// Setting an end edits the ends of both former partners, too, but one that shows a third object.
  private mutating func setEnd(
    _ number: Int, _ end: RiskProperty, to target: Int?, _ context: ManagedObjectContext
  ) {
    guard let back = end.back, let object = object(number, context) else { return }
    let near = row(object)
    if near[end] == target { return }
    var destination: ManagedObject?
    if let target {
      destination = self.object(target, context)
      if destination == nil { return }
    }
    var edits: [(object: Int, property: RiskProperty, value: Int?, shown: RiskRow)] = []
    edits.append((number, end, target, near))
    if let former = near[end], let row = shownRow(former, context), row[back] ?? number == number {
      edits.append((former, back, nil, row))
    }
    if let target, let row = shownRow(target, context) {
      edits.append((target, back, number, row))
      if let third = row[back], third != number, let other = shownRow(third, context),
        other[end] ?? target == target
      {
        edits.append((third, end, nil, other))
      }
    }
    story("\(name(number)).\(end) = \(target.map(name) ?? "nil")")
    switch object {
    case let seat as Seat: seat.guest = destination as? Guest
    case let guest as Guest: guest.seat = destination as? Seat
    default: return
    }
    for edit in edits {
      oracle.edit(
        edit.object, edit.property, to: edit.value, shown: edit.shown, place,
        isRestated: edit.shown[edit.property] == edit.value)
      shown[place]?[edit.object]?[edit.property] = edit.value
    }
  }

  private mutating func shownRow(_ number: Int, _ context: ManagedObjectContext) -> RiskRow? {
    object(number, context).map { row($0) }
  }
}
