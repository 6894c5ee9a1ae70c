import Testing
@testable import FlowDefinition
