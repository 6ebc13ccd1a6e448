import { expect, it } from 'vitest'
import { explainFullDisk } from './full-disk.ts'

it.each([
  'FATAL:  could not write to file "pg_wal/xlogtemp.18663": No space left on device',
  'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.',
  'FATAL:  could not write to file "pg_wal/xlogtemp.1": Disk quota exceeded',
])('a full disk is said first: %s', (line) => {
  expect(explainFullDisk('/data', `The server did not start: ${line}`)).toBe(
    `The disk of /data is full: make room, and start again. The server did not start: ${line}`,
  )
})

it('anything else stays as it is', () => {
  expect(explainFullDisk('/data', 'FATAL:  could not open file "x": Permission denied')).toBe(
    'FATAL:  could not open file "x": Permission denied',
  )
})
