// error: call to main actor-isolated global function 'placeholder()' in a synchronous nonisolated context
import Cauldron

func placeholder() -> String { "nothing" }

@Entity final class Note: ManagedObject {
  var text: String

  override func willSave() {
    if text.isEmpty { text = placeholder() }
  }
}
