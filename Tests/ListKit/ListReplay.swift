import Cauldron

/// What a table does with a delegate's calls: old places go from behind, new ones come from the front.
final class ListReplay: FetchedResultsControllerDelegate {
  struct Section {
    var name: String
    var ids: [ManagedObjectID]
  }

  private(set) var sections: [Section] = []
  private var gone: [(path: ListPath, id: ManagedObjectID)] = []
  private var come: [(path: ListPath, id: ManagedObjectID)] = []
  private var goneSections: [Int] = []
  private var comeSections: [(Int, String)] = []
  private(set) var problem: String?

  func reload(_ snapshot: FetchedResultsSnapshot<Track>) {
    sections = snapshot.sections.map {
      Section(name: $0.name, ids: snapshot.objectIDs(in: $0.places))
    }
  }

  func controllerWillChangeContent(_ controller: FetchedResultsController<Track>) {
    (gone, come, goneSections, comeSections) = ([], [], [], [])
  }

  func controller(
    _ controller: FetchedResultsController<Track>, didChange section: FetchedResultsSection,
    atSectionIndex number: Int, for type: FetchedResultsChangeType
  ) {
    if type == .delete {
      goneSections.append(number)
    } else {
      comeSections.append((number, section.name))
    }
  }

  func controller(
    _ controller: FetchedResultsController<Track>, didChange object: Track, at path: ListPath?,
    for type: FetchedResultsChangeType, newPath: ListPath?
  ) {
    if type == .update { return }
    if let path { gone.append((path, object.objectID)) }
    if let newPath { come.append((newPath, object.objectID)) }
  }

  func controllerDidReloadContent(_ controller: FetchedResultsController<Track>) {
    reload(controller.snapshot)
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<Track>) {
    for (path, _) in gone.sorted(by: { $0.path > $1.path }) {
      sections[path.section].ids.remove(at: path.item)
    }
    for number in goneSections.sorted(by: >) { sections.remove(at: number) }
    for (number, name) in comeSections.sorted(by: { $0.0 < $1.0 }) {
      sections.insert(Section(name: name, ids: []), at: number)
    }
    for (path, id) in come.sorted(by: { $0.path < $1.path }) {
      sections[path.section].ids.insert(id, at: path.item)
    }
  }
}

extension FetchedResultsDifference {
  /// What becomes of IDs if the difference is carried out as lists on a screen do it.
  func replayed(on ids: [ManagedObjectID]) -> [ManagedObjectID] {
    var ids = ids
    let gone = deletions.map(\.place) + moves.map(\.from)
    for place in gone.sorted(by: >) { ids.remove(at: place) }
    let come = insertions.map { ($0.place, $0.objectID) } + moves.map { ($0.to, $0.objectID) }
    for (place, id) in come.sorted(by: { $0.0 < $1.0 }) { ids.insert(id, at: place) }
    return ids
  }
}
