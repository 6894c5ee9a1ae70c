internal import FlowDefinition

/// What an action means to one flow, worked out once for each action and not for each fact.
struct CompiledAction: Sendable {
  /// For facts that belong to the flow; all others are activity.
  var kind: FactKind = .activity
  var status: PermissionStatus = .other
  /// `nil` where the result doesn't say.
  var isPrompted: Bool?
  var completesBySkipping = false
  /// Completes in a way that is neither finishing nor skipping.
  var hasUnknownMethod = false
  /// Shows that the person came back.
  var isActivity = true
  /// Index of the permission in the flow's permissions, or −1.
  var permission: Int16 = -1
  /// The step its page's name means; `CompiledPage.…` where there is none.
  var namedStep: Int16 = CompiledPage.none
  /// The place in a list, counted from 0, that its page's number means; −1 for none.
  var place: Int16 = -1
  /// The place was sent as an index, which counts from 0 whatever the flow file says.
  var isIndex = false
  /// Its place among facts of its kind in the declared order.
  var order: Int16 = 0
  /// The number of the set of the flow's event patterns that it satisfies; 0 for none.
  var patternSet: UInt32 = 0
}

/// What a page that is no step is called.
enum CompiledPage {
  /// No page is named.
  static let none: Int16 = -1
  /// A page that the flow does not declare.
  static let undeclared: Int16 = -2
  /// A number that means different steps in lists that could apply.
  static let ambiguous: Int16 = -3
}

/// What a context means to one flow.
struct CompiledContext: Sendable {
  var belongs = false
  /// The code of the version in its name table; 0 for none.
  var version: UInt32 = 0
  /// The list of its own version and variants.
  var list: Int16 = 0
  /// Index into the sets of lists that could apply, as `ContextCompiler` numbers them.
  var candidates: Int32 = 0
}
