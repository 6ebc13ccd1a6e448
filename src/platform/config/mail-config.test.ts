import { describe, expect, it } from 'vitest'
import { readMail } from './mail-config.ts'

const from = 'Alerts <alerts@monitor.example>'

describe('readMail', () => {
  it.each<[string, object]>([
    ['smtp://mail.internal', { host: 'mail.internal', port: 587, isSecure: false }],
    ['smtp://10.0.0.5:25', { host: '10.0.0.5', port: 25, isSecure: false }],
    ['smtps://[2001:db8::25]', { host: '2001:db8::25', port: 465, isSecure: true }],
  ])('%s', (url, server) => {
    const mistakes: string[] = []
    const read = readMail({ SMTP_URL: url, MAIL_FROM: from }, mistakes)
    expect(mistakes).toEqual([])
    expect(read).toEqual({
      server: { ...server, from: { name: 'Alerts', address: 'alerts@monitor.example' } },
      credentials: null,
    })
  })

  it('takes user and password apart from what may be logged', () => {
    const { server, credentials } = readMail(
      { SMTP_URL: 'smtp://us%40er:p%3Aw%2F@mail.example:2525', MAIL_FROM: 'a@b.example' },
      [],
    )
    expect(credentials).toEqual({ user: 'us@er', password: 'p:w/' })
    expect(server).toEqual({
      host: 'mail.example',
      port: 2525,
      isSecure: false,
      from: { name: '', address: 'a@b.example' },
    })
  })

  it('is off without SMTP_URL', () => {
    const mistakes: string[] = []
    expect(readMail({ MAIL_FROM: from }, mistakes)).toEqual({ server: null, credentials: null })
    expect(mistakes).toEqual([])
  })

  it.each([
    'mail.example:25',
    'https://user:hunter2@mail.example',
    'smtp://user:hunter2@mail.example/path',
    'smtp://user:hunter2@mail.example?secure=false',
    'smtp://user:hunter2%@mail.example',
    'smtp://user@mail.example',
    'smtp://',
  ])('names SMTP_URL without repeating it: %s', (url) => {
    const mistakes: string[] = []
    expect(readMail({ SMTP_URL: url, MAIL_FROM: from }, mistakes).server).toBeNull()
    expect(mistakes).toEqual([expect.stringMatching(/^SMTP_URL: expected/)])
    expect(mistakes.join()).not.toContain('hunter2')
  })

  it.each([
    ['', 'MAIL_FROM: expected the address that mail is from, because SMTP_URL is set'],
    ['nobody', 'MAIL_FROM: expected an address or "Name <address>", found "nobody"'],
    [
      'A <a@b.example>, c@d.example',
      'MAIL_FROM: expected an address or "Name <address>", found "A <a@b.example>, c@d.example"',
    ],
    [
      'A\nBcc: x <a@b.example>',
      'MAIL_FROM: expected an address or "Name <address>", found "A\nBcc: x <a@b.example>"',
    ],
  ])('names MAIL_FROM: %j', (sender, mistake) => {
    const mistakes: string[] = []
    expect(readMail({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: sender }, mistakes).server).toBeNull()
    expect(mistakes).toEqual([mistake])
  })
})
