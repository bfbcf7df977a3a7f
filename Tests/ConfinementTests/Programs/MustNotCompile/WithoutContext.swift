// error: 'init()' is unavailable: an object is made in a context: use 'init(context:)', or 'create()' on the main actor
import Cauldron

@MainActor private func program() {
  let person = Person()
  person.name = "jack"
}
