import CIsalFloor
import Foundation

/// The floor of the main job: inflating with ISA-L, checksum and all, and nothing else.
enum Inflation {
  static let bufferBytes = 1 << 18

  /// Inflates one gzip member; returns the bytes of text, −1 if it is broken.
  static func inflate(_ data: Data) -> Int {
    let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
    defer { state.deallocate() }
    isal_inflate_init(state)
    state.pointee.crc_flag = UInt32(ISAL_GZIP)
    var output = [UInt8](repeating: 0, count: bufferBytes)
    var total = 0
    let isWhole = data.withUnsafeBytes { input in
      let start = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      state.pointee.next_in = UnsafeMutablePointer(mutating: start)
      state.pointee.avail_in = UInt32(input.count)
      return output.withUnsafeMutableBufferPointer { output in
        while state.pointee.block_state != ISAL_BLOCK_FINISH {
          state.pointee.next_out = output.baseAddress
          state.pointee.avail_out = UInt32(output.count)
          if isal_inflate(state) < 0 { return false }
          total += output.count - Int(state.pointee.avail_out)
        }
        return true
      }
    }
    return isWhole ? total : -1
  }
}
