/// What is committed, as plain values; the contexts on one coordinator share it.
final class Disk {
  var view: View = [:]
  /// What was there before the commit that is being recorded; nil where none is.
  var before: View?
}
