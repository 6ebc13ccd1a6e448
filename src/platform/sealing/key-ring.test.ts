import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addKeyToFile, openKeyFile } from './key-ring.ts'

const isRoot = process.getuid?.() === 0
/** Any account that is not root. */
const service = { uid: 65_534, gid: 65_534 }

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  file = join(folder, 'encryption-keys')
})
afterEach(() => rmSync(folder, { recursive: true }))

const ownerAndMode = () => {
  const { uid, gid, mode } = statSync(file)
  return { uid, gid, mode: mode & 0o777 }
}

it('keeps the keys of a file readable for its owner alone, also when one is added', () => {
  const { writing } = openKeyFile(file)
  expect(ownerAndMode().mode).toBe(0o600)
  addKeyToFile(file)
  expect(ownerAndMode().mode).toBe(0o600)
  const ring = openKeyFile(file)
  expect(ring.writing.id).not.toBe(writing.id)
  expect(ring.find(writing.id)).toEqual(writing)
})

describe.runIf(isRoot)('a command that root runs for a service of another account (needs to be root)', () => {
  it('leaves the file with its owner when it adds a key', () => {
    openKeyFile(file)
    chownSync(file, service.uid, service.gid)
    addKeyToFile(file)
    expect(ownerAndMode()).toEqual({ ...service, mode: 0o600 })
  })

  it('makes the first key for the owner of the data', () => {
    chownSync(folder, service.uid, service.gid)
    openKeyFile(file)
    expect(ownerAndMode()).toEqual({ ...service, mode: 0o600 })
  })
})
