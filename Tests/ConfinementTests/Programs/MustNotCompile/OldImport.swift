// error: 'mr_import(from:in:file:line:)' is deprecated: use 'importFrom(records, in: context, options:
import CauldronMagicalRecord

private func load(_ records: [[String: Any]], _ context: ManagedObjectContext) -> [Person]? {
  Person.mr_import(from: records, in: context)
}
