/// What is committed, as plain values; the contexts on one coordinator share it.
final class Disk {
  var view: View = [:]
}
