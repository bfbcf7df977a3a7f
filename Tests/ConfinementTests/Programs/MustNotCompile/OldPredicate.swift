// error: 'init(format:_:)' is deprecated: use 'findAll(matching: …)'
import CauldronMagicalRecord
import Foundation

private func adults() -> NSPredicate { NSPredicate(format: "age >= %d", 18) }
