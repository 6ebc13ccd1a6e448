import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shownStrings } from './shown-strings.ts'
import { root } from './shown-text.ts'

const strings = shownStrings()

/** One example of each way in which text reaches a person. */
const known = [
  {
    from: 'text of a page',
    file: 'web/uploads/CreateToken.tsx',
    kind: 'text',
    text: 'Create token',
  },
  { from: 'text of a condition', file: 'web/frame/GlobalSearch.tsx', kind: 'words', text: 'Searching…' },
  { from: 'a label', file: 'web/sign-in/SignInForm.tsx', kind: 'label', text: 'E-mail' },
  { from: 'a name for a screen reader', file: 'web/frame/Frame.tsx', kind: 'aria-label', text: 'Workspace' },
  {
    from: 'a placeholder',
    file: 'web/frame/GlobalSearch.tsx',
    kind: 'placeholder',
    text: 'Component, CVE, incident, advisory, setting …',
  },
  { from: 'a button', file: 'web/settings/tokens/RevokeToken.tsx', kind: 'verb', text: 'Revoke token' },
  {
    from: 'a refusal',
    file: 'src/disclosure/inbox/link-incident.ts',
    kind: 'refusal',
    text: 'There is no such incident.',
  },
  {
    from: 'a refusal with a value',
    file: 'src/disclosure/inbox/link-incident.ts',
    kind: 'refusal',
    text: 'The report is already linked to {incident.reference}.',
  },
  {
    from: 'the table of refusals',
    file: 'src/contract/errors.ts',
    kind: 'words',
    text: 'The body is empty.',
  },
  {
    from: 'a word of the contract',
    file: 'src/contract/audit/shapes.ts',
    kind: 'words',
    text: 'Incident opened',
  },
  {
    from: 'a page of the operator',
    file: 'src/operator/overview-page.ts',
    kind: 'text',
    text: 'Encryption keys',
  },
  {
    from: 'a public page',
    file: 'src/disclosure-site/words/en.ts',
    kind: 'words',
    text: 'Report a vulnerability',
  },
  {
    from: 'a mail',
    file: 'src/notices/mail/letter-wording.ts',
    kind: 'words',
    text: 'Choose a new password',
  },
  {
    from: 'an alert',
    file: 'src/notices/messages/event-wording.ts',
    kind: 'words',
    text: 'Open the incident',
  },
  { from: 'a command', file: 'src/cli/operation/commands.ts', kind: 'words', text: 'keys state' },
  { from: 'the client', file: 'client/src/file.ts', kind: 'words', text: 'the file is empty' },
]

it.each(known)('finds $from: $text', ({ file, kind, text }) => {
  expect(strings.filter((found) => found.file === file && found.text === text)).toContainEqual(
    expect.objectContaining({ kind }),
  )
})

it('says where each of them is', () => {
  const { file, line, text } = strings.find(({ text }) => text === 'The body is empty.') ?? {
    file: '',
    line: 0,
    text: '',
  }
  expect(readFileSync(join(root, file), 'utf8').split('\n')[line - 1]).toContain(text)
})

it('leaves out what only machines read', () => {
  const machine = /^(SELECT|UPDATE) |^[a-z_.]+ as \w+$|^import |className/
  expect(strings.length).toBeGreaterThan(4_000)
  expect(strings.filter(({ text }) => machine.test(text))).toEqual([])
})

it('no sentence that people read has a space before a comma, a semicolon or a full stop', () => {
  const sloppy = strings.filter(
    ({ file, text }) => /[\p{L}\d] [.,;](?= |$)/u.test(text) && !file.startsWith('src/cli'),
  )
  expect(sloppy.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
})
