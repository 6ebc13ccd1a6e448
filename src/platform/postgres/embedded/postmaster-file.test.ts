import { describe, expect, it } from 'vitest'
import { parsePostmasterFile } from './postmaster-file.ts'

const whole = '4711\n/data/pgdata\n1700000000\n5432\n/data/socket\n\n  123456   7\nready   \n'

describe('parsePostmasterFile', () => {
  it.each([
    [
      'a running server',
      whole,
      { pid: 4711, socket: { folder: '/data/socket', port: 5432 }, status: 'ready' },
    ],
    [
      'a starting one',
      whole.replace('ready', 'starting'),
      { pid: 4711, socket: { folder: '/data/socket', port: 5432 }, status: 'starting' },
    ],
    [
      'a stopping one',
      whole.replace('ready', 'stopping'),
      { pid: 4711, socket: { folder: '/data/socket', port: 5432 }, status: 'stopping' },
    ],
    [
      'a standby, which takes sessions',
      whole.replace('ready', 'standby'),
      { pid: 4711, socket: { folder: '/data/socket', port: 5432 }, status: 'ready' },
    ],
    [
      'a file that is still being written',
      '4711\n/data/pgdata\n1700000000\n5432\n',
      { pid: 4711, socket: null, status: null },
    ],
    [
      'a server without a socket',
      whole.replace('/data/socket', ''),
      { pid: 4711, socket: null, status: 'ready' },
    ],
    [
      'an unknown status',
      whole.replace('ready', 'dancing'),
      { pid: 4711, socket: { folder: '/data/socket', port: 5432 }, status: null },
    ],
    ['a single-user server', '-4711\n/data/pgdata\n', { pid: 4711, socket: null, status: null }],
    ['an empty file', '', null],
    ['blank lines', '\n\n\n', null],
    ['no number', 'x\n/data\n', null],
    ['pid 0', '0\n/data\n', null],
    ['a number beyond all ids', `${'9'.repeat(30)}\n`, null],
  ])('reads %s', (_, text, expected) => {
    expect(parsePostmasterFile(text)).toEqual(expected)
  })
})
