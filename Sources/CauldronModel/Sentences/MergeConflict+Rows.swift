extension MergeConflict {
  /// What rows tell of a conflict.
  package init(
    _ objectID: ManagedObjectID, _ entity: EntityLayout, was: RowPointer, theirs: RowPointer?,
    mine: RowPointer?, _ properties: PropertySet
  ) {
    self.objectID = objectID
    entityName = entity.name
    self.properties = properties.indices.compactMap { index in
      guard let storage = entity.properties[index].storageClass else { return nil }
      return Property(
        name: entity.properties[index].name, was: was.scalar(index, storage),
        theirs: theirs?.scalar(index, storage), mine: mine?.scalar(index, storage))
    }
    objectSnapshot = was.snapshot(entity)
    persistedSnapshot = theirs?.snapshot(entity)
    oldVersion = Int(was.version)
    newVersion = Int(theirs?.version ?? 0)
  }
}
