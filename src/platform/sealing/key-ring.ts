import { createHash, randomBytes } from 'node:crypto'
import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A key of AES-256. The id is derived from it, so that a key has the same id wherever it is configured. */
export type SealingKey = { id: number; key: Buffer }

/** The first key writes, all of them read. */
export type KeyRing = {
  writing: SealingKey
  /** Undefined when none of the keys has that id. */
  find: (id: number) => SealingKey | undefined
}

/** A file of keys that its operator has to put right. The message names no key. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

const keyBytes = 32

/**
 * Reads a ring from text: keys of 32 bytes as base64, base64url or 64 hexadecimal digits, separated by commas or line ends, the one that
 * writes first. Each may have a name of the operator's own before a colon. Throws an `Error` that names no key.
 */
export function parseKeys(text: string): SealingKey[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 0) throw new Error('expected at least one key')
  return entries.map((entry, index) => {
    const key = decodeKey(entry.slice(entry.lastIndexOf(':') + 1))
    if (key === undefined) {
      throw new Error(`expected 32 random bytes as base64 or hexadecimal in place ${index + 1}`)
    }
    return { id: idOf(key), key }
  })
}

/** A ring of keys that stay as they are while the process runs. */
export function createKeyRing(keys: readonly SealingKey[]): KeyRing | null {
  const [writing] = keys
  if (writing === undefined) return null
  return { writing, find: (id) => keys.find((key) => key.id === id) }
}

/** A new key as `parseKeys` reads it. */
export function newKeyText(): string {
  return randomBytes(keyBytes).toString('base64')
}

/**
 * A ring kept in a file, which is created with one key where it is missing. The file is read again when it is asked for an unknown
 * key: another process may have added one. Several processes may create it at once.
 */
export function openKeyFile(file: string): KeyRing {
  createOnce(file)
  let keys = readKeys(file)
  return {
    get writing() {
      return firstOf(keys)
    },
    find: (id) => {
      const known = keys.find((key) => key.id === id)
      if (known !== undefined) return known
      keys = readKeys(file)
      return keys.find((key) => key.id === id)
    },
  }
}

/** Puts a new key before the others of a file: from now on it writes. Running processes read the file again when they meet the key. */
export function addKeyToFile(file: string): void {
  const others = readFileSync(file, 'utf8')
  const next = `${file}.${process.pid}.new`
  writeFileSync(next, `${newKeyText()}\n${others}`, { mode: 0o600 })
  giveToOwnerOf(file, next)
  renameSync(next, file)
}

function createOnce(file: string): void {
  const own = `${file}.${process.pid}.new`
  try {
    readFileSync(file)
    return
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  writeFileSync(own, `${newKeyText()}\n`, { mode: 0o600 })
  giveToOwnerOf(dirname(file), own)
  try {
    // unlike a rename, a link never replaces a file that another process has just made
    linkSync(own, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(own)
  }
}

/** Root may run a command for a service under another account, which has to read what the command writes. */
function giveToOwnerOf(existing: string, made: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(existing)
  chownSync(made, uid, gid)
}

function readKeys(file: string): SealingKey[] {
  try {
    return parseKeys(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new KeyFileError(`The keys in ${file} cannot be read: ${reason}.`, { cause })
  }
}

function firstOf(keys: readonly SealingKey[]): SealingKey {
  const [first] = keys
  if (first === undefined) throw new Error('a ring has at least one key')
  return first
}

function decodeKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const key = Buffer.from(text, isHex ? 'hex' : 'base64')
  return key.length === keyBytes ? key : undefined
}

function idOf(key: Buffer): number {
  return createHash('sha256').update('sbom-monitor key id').update(key).digest().readUInt32BE(0)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
