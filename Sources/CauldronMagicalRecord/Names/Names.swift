public import Cauldron

// Core Data's names. Those that Foundation has, or a type of the program could be meant by, are left out.

/// `ManagedObject` by its old name.
@available(*, deprecated, renamed: "ManagedObject")
public typealias NSManagedObject = ManagedObject

/// `ManagedObjectID` by its old name.
@available(*, deprecated, renamed: "ManagedObjectID")
public typealias NSManagedObjectID = ManagedObjectID

/// `ManagedObjectContext` by its old name.
@available(*, deprecated, renamed: "ManagedObjectContext")
public typealias NSManagedObjectContext = ManagedObjectContext

/// `ManagedObjectModel` by its old name.
@available(*, deprecated, renamed: "ManagedObjectModel")
public typealias NSManagedObjectModel = ManagedObjectModel

/// `PersistentStoreCoordinator` by its old name.
@available(*, deprecated, renamed: "PersistentStoreCoordinator")
public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator

/// `EntityDescription` by its old name.
@available(*, deprecated, renamed: "EntityDescription")
public typealias NSEntityDescription = EntityDescription

/// `PropertyDescription` by its old name.
@available(*, deprecated, renamed: "PropertyDescription")
public typealias NSPropertyDescription = PropertyDescription

/// `AttributeDescription` by its old name.
@available(*, deprecated, renamed: "AttributeDescription")
public typealias NSAttributeDescription = AttributeDescription

/// `RelationshipDescription` by its old name.
@available(*, deprecated, renamed: "RelationshipDescription")
public typealias NSRelationshipDescription = RelationshipDescription

/// `FetchRequest` by its old name.
@available(*, deprecated, renamed: "FetchRequest")
public typealias NSFetchRequest<Object: ManagedObject> = FetchRequest<Object>

/// `FetchedResultsController` by its old name.
@available(*, deprecated, renamed: "FetchedResultsController")
public typealias NSFetchedResultsController<Object: ManagedObject> = FetchedResultsController<
  Object
>

/// `FetchedResultsControllerDelegate` by its old name.
@available(*, deprecated, renamed: "FetchedResultsControllerDelegate")
public typealias NSFetchedResultsControllerDelegate = FetchedResultsControllerDelegate

/// `MergePolicy` by its old name.
@available(*, deprecated, renamed: "MergePolicy")
public typealias NSMergePolicy = MergePolicy

/// `MergeConflict` by its old name.
@available(*, deprecated, renamed: "MergeConflict")
public typealias NSMergeConflict = MergeConflict

/// `SaveOptions` by its old name.
@available(*, deprecated, renamed: "SaveOptions")
public typealias MRSaveOptions = SaveOptions
