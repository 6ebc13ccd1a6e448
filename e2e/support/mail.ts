import { expect, vi } from 'vitest'
import type { ShownMail } from '../../src/notices/mail/list-mail.ts'
import type { LetterKind } from '../../src/contract/notices/letters.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import type { Service } from '../../test/support/service.ts'

type Mailbox = { service: Pick<Service, 'baseUrl' | 'cli'>; store: TestDatabase['pool'] }

/** The link in the newest message to an address, as the operator reads it without a mail server. */
export async function linkTo({ service, store }: Mailbox, email: string, kind: LetterKind): Promise<string> {
  const question = `
    select m.id from mail m join one_time_link l on l.id = m.link_id
    where m.recipient = $1 and m.kind = $2 and l.ended_at is null order by m.created_at desc, m.id desc limit 1`
  const id = await vi.waitFor(
    async () => {
      const { rows } = await store.query<{ id: string }>(question, [email, kind])
      expect(rows).toHaveLength(1)
      return rows[0]?.id ?? ''
    },
    { timeout: 60_000, interval: 100 },
  )
  const { text } = await service.cli<ShownMail>(['mail', 'show', id])
  const [link = ''] = /http:\S+#[\w-]{43}/.exec(text ?? '') ?? []
  expect(link).toContain(service.baseUrl)
  return link
}
