import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, Terminal } from './terminal.ts'

function terminal(isTTY: boolean, env: Record<string, string> = {}) {
  const written: string[] = []
  return { written, terminal: new Terminal({ write: (text) => written.push(text), isTTY }, env) }
}

describe('text from outside', () => {
  it.each([
    ['\u001b[2Jgone', ' [2Jgone'],
    ['::set-output name=x::y', ': :set-output name=x::y'],
    ['  ::error::x', '  : :error::x'],
    ['see ##vso[task.setvariable]', 'see # #vso[task.setvariable]'],
    [`token svc_${'a'.repeat(43)}!`, 'token svc_…!'],
    ['left\u202eright', 'left right'],
  ])('%j', (text, expected) => {
    expect(printable(text)).toBe(expected)
  })
})

it('of any kind has no control characters and no command of a CI system', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('\u001b', '\n', '\u009b', '#', ':', ' ', '\u200b', 'x')),
      (parts) => {
        expect(printable(parts.join(''))).not.toMatch(/\p{Cc}|##|^\s*::/u)
      },
    ),
  )
})

describe('on a terminal', () => {
  it('progress is one line, removed before the next words', () => {
    const { terminal: screen, written } = terminal(true)
    screen.progress('1 s')
    screen.progress('2 s')
    screen.say('done', 'green')
    expect(written.join('')).toBe('\r\u001b[K1 s\r\u001b[K2 s\r\u001b[K\u001b[32mdone\u001b[0m\n')
  })

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('has no colours with %j', (env) => {
    const { terminal: screen, written } = terminal(true, env)
    screen.say('done', 'green')
    expect(written.join('')).toBe('done\n')
  })
})

it('elsewhere every change is a plain line', () => {
  const { terminal: log, written } = terminal(false)
  log.progress('1 s')
  log.progress('1 s')
  log.progress('2 s')
  log.say('done', 'red')
  expect(written.join('')).toBe('1 s\n2 s\ndone\n')
})
