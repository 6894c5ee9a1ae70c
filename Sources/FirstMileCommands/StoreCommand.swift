import ArgumentParser

/// Looking after a store.
struct StoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Look after a store of facts.",
    subcommands: [
      StoreInfoCommand.self, StoreVerifyCommand.self, StoreCompactCommand.self,
      StoreDropCommand.self, StoreForgetCommand.self, StoreExportCommand.self,
    ])
}
