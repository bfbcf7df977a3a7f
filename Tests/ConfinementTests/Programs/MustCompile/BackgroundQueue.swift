import Cauldron
import Dispatch

private func program() {
  DispatchQueue.global().async {
    let context = ManagedObjectContext.contextWithParent(.default)
    let person = Person.create(in: context)
    person.name = "jack"
    person.save(toPersistentStore: true) { didSave, error in print(didSave) }
  }
}
