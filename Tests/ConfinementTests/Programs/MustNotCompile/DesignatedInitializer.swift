// error: objects of 'Note' are made by their context: an initializer must be 'convenience' and call 'self.init(context:)'
import Cauldron

@Entity final class Note: ManagedObject {
  var text: String

  init(text: String, context: ManagedObjectContext) {
    super.init(context: context)
    self.text = text
  }
}
