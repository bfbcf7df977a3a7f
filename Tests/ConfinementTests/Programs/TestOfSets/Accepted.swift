// error: cannot find 'nothing' in scope
import Cauldron

private func program(_ person: Person) { person.name = "jack" }
