// `import CauldronMagicalRecord` is the one import that code in the old manner needs.
@_exported public import Cauldron

/// MagicalRecord's calls by their old names: for code that is ported step by step.
///
/// ```swift
/// MagicalRecord.errorHandler = { error in show(error) }
/// MagicalRecord.setupCoreDataStack(withStoreNamed: "people")
/// let person = Person.mr_createEntity()
/// ```
/// Each call is deprecated, and its warning tells the new one. The old calls do not throw: what the new
/// one throws is logged and goes to ``errorHandler``, and the call gives nil, nothing or false.
public enum MagicalRecord {}
