import Cauldron

/// An object that notes which hooks were called.
@Entity final class Hooked: ManagedObject {
  var name: String = ""
  var saves: Int = 0
  @Transient var calls: [String] = []

  override func awakeFromInsert() { calls.append("awake \(name.isEmpty)") }
  override func willSave() {
    calls.append("willSave")
    if saves == 0 { saves = 1 }
  }
  override func didSave() { calls.append("didSave") }
  override func prepareForDeletion() { calls.append("prepare") }
}
