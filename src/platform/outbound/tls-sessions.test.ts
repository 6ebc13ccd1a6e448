import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../contract/durations.ts'
import { TlsSessions } from './tls-sessions.ts'

const [first, second] = [Buffer.from('first'), Buffer.from('second')]

describe('TLS sessions', () => {
  it('are found by host and port for ten minutes', () => {
    const sessions = new TlsSessions()
    sessions.keep('a.example:443', first, { isResumed: false, nowMs: 0 })
    expect(sessions.find('a.example:443', 10 * minuteMs - 1)).toBe(first)
    expect(sessions.find('a.example:8443', 0)).toBeUndefined()
    expect(sessions.find('b.example:443', 0)).toBeUndefined()
    expect(sessions.find('a.example:443', 10 * minuteMs)).toBeUndefined()
  })

  it('that were resumed end with the one whose certificate was checked', () => {
    const sessions = new TlsSessions()
    sessions.keep('a.example:443', first, { isResumed: false, nowMs: 0 })
    sessions.keep('a.example:443', second, { isResumed: true, nowMs: 9 * minuteMs })
    expect(sessions.find('a.example:443', 9 * minuteMs)).toBe(second)
    expect(sessions.find('a.example:443', 10 * minuteMs)).toBeUndefined()
    sessions.keep('a.example:443', second, { isResumed: true, nowMs: 10 * minuteMs })
    expect(sessions.find('a.example:443', 10 * minuteMs)).toBeUndefined()
    sessions.keep('a.example:443', second, { isResumed: false, nowMs: 11 * minuteMs })
    expect(sessions.find('a.example:443', 20 * minuteMs)).toBe(second)
  })

  it('are those of the thousand hosts spoken with last', () => {
    const sessions = new TlsSessions()
    for (let host = 0; host <= 1_000; host += 1)
      sessions.keep(`${host}.example:443`, first, { isResumed: false, nowMs: 0 })
    expect(sessions.find('0.example:443', 1)).toBeUndefined()
    expect(sessions.find('1.example:443', 1)).toBe(first)
    expect(sessions.find('1000.example:443', 1)).toBe(first)
  })
})
