// error: call to main actor-isolated static method 'mr_createEntity()'
import CauldronMagicalRecord

@available(*, deprecated)
private func create() { Person.mr_createEntity() }
