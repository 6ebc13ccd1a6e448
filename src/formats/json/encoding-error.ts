import { isUtf8 } from 'node:buffer'

const pieceBytes = 64 * 1024
const newLine = 0x0a

/** Where bytes stop being UTF-8: `line 3, column 14: expected UTF-8, found the byte 0xE9`. Only for invalid bytes. */
export function locateEncodingError(bytes: Uint8Array): string {
  const at = firstWrongByte(bytes)
  let line = 1
  let lineStart = 0
  for (let end = bytes.indexOf(newLine); end !== -1 && end < at; end = bytes.indexOf(newLine, lineStart)) {
    line += 1
    lineStart = end + 1
  }
  const column = new TextDecoder().decode(bytes.subarray(lineStart, at)).length + 1
  const found = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  return `line ${line}, column ${column}: expected UTF-8, found the byte 0x${found}`
}

/** Piece by piece, then character by character in the first invalid one. */
function firstWrongByte(bytes: Uint8Array): number {
  let at = 0
  for (let end = pieceEnd(bytes, at); end < bytes.length && isUtf8(bytes.subarray(at, end));) {
    at = end
    end = pieceEnd(bytes, at)
  }
  for (;;) {
    const next = at + lengthOf(bytes[at] ?? 0)
    if (next > bytes.length || !isUtf8(bytes.subarray(at, next))) return at
    at = next
  }
}

/** A piece ends before the first byte of a character. */
function pieceEnd(bytes: Uint8Array, start: number): number {
  let end = Math.min(start + pieceBytes, bytes.length)
  while (end > start + 1 && end < bytes.length && isContinuation(bytes[end] ?? 0)) end -= 1
  return end
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** How many bytes a character has by its first one. */
function lengthOf(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}
