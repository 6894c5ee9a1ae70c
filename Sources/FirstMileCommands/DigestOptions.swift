public import ArgumentParser
public import EventInput

/// By which digest a report names what it was made from.
struct DigestOptions: ParsableArguments {
  @Option(
    help: """
      How metrics.json names the contents of dumps: xxh3-128, which costs next to nothing, or \
      sha256, which also holds where somebody may want to pass one file off as another.
      """)
  var digest: SourceDigest.Kind?

  /// - Throws: `CommandError` where the facts come from a store.
  func kind(store: String?) throws(CommandError) -> SourceDigest.Kind {
    if digest != nil && store != nil {
      throw CommandError("--digest is for reading dumps: a store names its sources by SHA-256")
    }
    return digest ?? .xxh3
  }
}

extension SourceDigest.Kind: ExpressibleByArgument {}
