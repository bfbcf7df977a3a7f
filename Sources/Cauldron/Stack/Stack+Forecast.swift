public import CauldronModel
import CauldronSQLite
public import Foundation

extension Stack {
  /// Says what setting up a stack would do to a store because the model has changed.
  ///
  /// ```swift
  /// let forecast = try Stack.migrationForecast(storeURL: url)
  /// if !forecast.losses.isEmpty { print(forecast) }
  /// ```
  /// Only reads: it takes no lock for writing, and leaves nothing beside a store that nobody has open. What
  /// would keep the store from being opened is told as ``MigrationForecast/problems``.
  /// - Parameters:
  ///   - storeURL: The store's file.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store would be opened.
  /// - Throws: `model.invalid`, `migration.invalidPlan`.
  /// - Complexity: A handful of statements; one scan of each table where values can be lost or may not fit.
  public static func migrationForecast(
    storeURL: URL, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration()
  ) throws -> MigrationForecast {
    try configuration.migration.plan.validate()
    return StoreForecast(
      url: storeURL, model: try model ?? ManagedObjectModel.discovered(),
      options: configuration.storeOptions
    ).make()
  }
}
