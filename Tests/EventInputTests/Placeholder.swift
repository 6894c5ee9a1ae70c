import Testing
@testable import EventInput
