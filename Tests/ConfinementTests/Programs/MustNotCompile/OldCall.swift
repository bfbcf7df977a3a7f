// error: 'mr_findAll()' is deprecated: renamed to 'findAll()'
import CauldronMagicalRecord

@MainActor private func find() -> Int { Person.mr_findAll()?.count ?? 0 }
