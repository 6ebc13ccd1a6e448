import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventBody, type Envelope } from '../../src/alerts/deliveries/event-body.ts'
import { chatMessage } from '../../src/alerts/deliveries/chat-message.ts'
import { alertTypes } from '../../src/contract/alerts/shapes.ts'
import type { DeliveryFact } from '../../src/contract/alerts/events.ts'
import { anyCharacter } from '../support/any-character.ts'
import { facts } from './alert-scene.ts'
import { textLike } from '../support/expected.ts'
import { objectIn } from '../support/read-as.ts'

const envelope: Envelope = {
  id: '0190d3a8-0000-7000-8000-000000000009',
  created: new Date('2026-09-12T08:00:00.789Z'),
  workspace: 'Acme & Sons <AS>',
  workspaceSlug: 'acme',
  baseUrl: 'https://monitor.example',
}
const servicesUrl = 'https://hooks.slack.com/services/T0/B0/x'
const triggersUrl = 'https://hooks.slack.com/triggers/T0/1/x'

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 400 }),
  fc.constantFrom(
    ...['<!channel>', '<!here>', '<!everyone>', '@here', '@channel', '<@U123>', '<#C123>', '<!subteam^S1>'],
    ...['<https://evil.example|the incident>', '*bold* _it_ ~no~ `code`', '[text](https://evil.example)'],
    ...[
      '<at>Everyone</at>',
      '\u202egnp.exe',
      'a\u0000b',
      '&lt;!channel&gt;',
      '"}],"actions":[{',
      '${evil}',
      '{{DATE(2026)}}',
    ],
    ...['x'.repeat(5_000), '😀'.repeat(3_000), '<'.repeat(4_000), '&'.repeat(4_000), '\ud800'],
  ),
)

/** Each event with untrusted text wherever it can occur. */
const hostileFact: fc.Arbitrary<DeliveryFact> = fc
  .tuple(fc.constantFrom(...alertTypes, 'test' as const), nasty, nasty, nasty)
  .map(([type, one, two, three]): DeliveryFact => {
    const incident = { id: '0190d3a8-0000-7000-8000-000000000001', reference: one, title: two }
    switch (type) {
      case 'incident.opened':
        return {
          type,
          data: {
            incident: {
              ...incident,
              family: three,
              vulnKey: one,
              source: 'kev',
              awareAt: '2026-09-12T08:00:00.000Z',
            },
          },
          about: {
            components: one,
            versions: two,
            severity: 'critical',
            fixedIn: three,
            earlyWarningDueAt: '2026-09-13T08:00:00.000Z',
          },
        }
      case 'deadline.warning':
        return {
          type,
          data: {
            incident,
            regime: 'dora',
            report: 'intermediate_report',
            dueAt: '2026-09-12T08:00:00.000Z',
          },
        }
      case 'approval.requested':
        return { type, data: { incident, determination: 'dora_not_major', scope: 'dora', approvers: 2 } }
      case 'report.received':
        return {
          type,
          data: {
            report: { number: 7, family: three, receivedAt: '2026-09-12T08:00:00.000Z', acknowledgeBy: null },
          },
        }
      case 'test':
        return { type, data: { destination: two } }
    }
  })

type Block = {
  type: string
  text?: { type: string; text: string; emoji?: boolean }
  fields?: { type: string; text: string }[]
  elements?: { type: string; text: string }[]
}

test('Slack messages keep to the limits of Block Kit, and no text of a stranger is markup', () => {
  fc.assert(
    fc.property(hostileFact, nasty, (fact, workspace) => {
      const text = chatMessage({
        kind: 'chat_a',
        url: servicesUrl,
        fact,
        envelope: { ...envelope, workspace: `A${workspace}` },
      })
      const message = JSON.parse(text) as { text: string; blocks: Block[] }
      expect(message.blocks.length).toBeLessThanOrEqual(50)
      expect(message.text.length).toBeLessThanOrEqual(40_000)
      let links = 0
      for (const { type, text: said, fields = [], elements = [] } of message.blocks) {
        expect(['header', 'section', 'context']).toContain(type)
        if (type === 'header') expect(said).toMatchObject({ type: 'plain_text' })
        expect(said?.text.length ?? 1).toBeGreaterThan(0)
        expect(said?.text.length ?? 0).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000)
        expect(fields.length).toBeLessThanOrEqual(10)
        expect(elements.length).toBeLessThanOrEqual(10)
        for (const field of [...fields, ...elements]) {
          expect(field.type).toBe('plain_text')
          expect(field.text.length).toBeGreaterThan(0)
          expect(field.text.length).toBeLessThanOrEqual(2_000)
        }
        if (said?.type === 'mrkdwn') {
          links += 1
          expect(said.text).toMatch(/^<https:\/\/monitor\.example\/app\/acme\/[^<>|]+\|[A-Za-z ]+>$/)
        }
        for (const shown of [said, ...fields, ...elements])
          if (shown?.type === 'plain_text') expect(shown.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
      }
      expect(links).toBe(1)
      // the fallback is parsed as mrkdwn: nothing in it may start a mention or a link
      expect(message.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    }),
    { numRuns: 500 },
  )
})

test("variables of Slack's workflows are flat, the same for every event, and no text in them is markup", () => {
  fc.assert(
    fc.property(hostileFact, (fact) => {
      const variables = objectIn(chatMessage({ kind: 'chat_a', url: triggersUrl, fact, envelope }))
      expect(Object.keys(variables)).toEqual(['event', 'summary', 'details', 'workspace', 'link'])
      for (const value of Object.values(variables)) {
        expect(typeof value).toBe('string')
        expect(value).not.toMatch(/[<>]/)
      }
    }),
    { numRuns: 300 },
  )
})

type Element = { type: string; inlines?: { type: string; text: string }[] }
type Card = {
  type: string
  version: string
  $schema: string
  body: Element[]
  actions: { type: string; title: string; url: string }[]
}

/** https://adaptivecards.io/explorer: the properties allowed in each element we use. */
const cardProperties: Record<string, string[]> = {
  AdaptiveCard: ['$schema', 'type', 'version', 'fallbackText', 'body', 'actions'],
  RichTextBlock: ['type', 'spacing', 'inlines'],
  TextRun: ['type', 'text', 'weight', 'size', 'isSubtle'],
  'Action.OpenUrl': ['type', 'title', 'url'],
}

test('Teams messages are an Adaptive Card of text runs, without entities that could mention somebody', () => {
  fc.assert(
    fc.property(hostileFact, nasty, (fact, workspace) => {
      const text = chatMessage({
        kind: 'chat_b',
        url: 'https://x.logic.azure.com/w',
        fact,
        envelope: { ...envelope, workspace: `A${workspace}` },
      })
      // the limit of a Teams message is 28 KB
      expect(Buffer.byteLength(text)).toBeLessThan(28_000)
      const message = JSON.parse(text) as {
        type: string
        attachments: { contentType: string; content: Card }[]
      }
      expect(message.type).toBe('message')
      expect(message.attachments).toHaveLength(1)
      const { contentType, content } = message.attachments[0] ?? { contentType: '', content: undefined }
      expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
      expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
      checkElement(content)
      expect(content?.actions).toHaveLength(1)
      expect(content?.actions[0]?.url).toMatch(/^https:\/\/monitor\.example\/app\/acme\//)
    }),
    { numRuns: 500 },
  )
})

function checkElement(element: unknown): void {
  if (Array.isArray(element)) for (const inner of element) checkElement(inner)
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return
  const { type } = element as Element
  expect(cardProperties[type], type).toBeDefined()
  expect(cardProperties[type]).toEqual(expect.arrayContaining(Object.keys(element)))
  for (const value of Object.values(element)) checkElement(value)
}

test.each([servicesUrl, triggersUrl, 'https://x.logic.azure.com/w'])(
  'no chat message turns what follows it: %s',
  (url) => {
    const kind = url.includes('azure') ? 'chat_b' : 'chat_a'
    const fact: DeliveryFact = { type: 'test', data: { destination: '\u202egnp.exe\u2066 \u0000 \u200b' } }
    expect(chatMessage({ kind, url, fact, envelope })).not.toMatch(
      /[\u202a-\u202e\u2066-\u2069\u200b]|\\u0000/,
    )
  },
)

/** docs/public-api.md, "Events": nothing else may leave. */
const wholeData: Record<string, unknown> = Object.fromEntries(
  alertTypes.map((type) => [type, facts[type].data]),
)

test('of each event exactly the published fields leave the service', () => {
  const secret = 'a reporter wrote this'
  const extra = {
    reporter: secret,
    email: secret,
    text: secret,
    draft: secret,
    determinedBy: secret,
    why: secret,
  }
  for (const type of alertTypes) {
    const spread = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? {
            ...Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spread(inner)])),
            ...extra,
          }
        : value
    const fact = { type, data: spread(facts[type].data), ...extra } as unknown as DeliveryFact
    const body = eventBody(fact, { ...envelope, ...extra })
    expect(body).not.toContain(secret)
    expect(JSON.parse(body)).toEqual({
      id: `evt_${envelope.id}`,
      type,
      created: '2026-09-12T08:00:00.789Z',
      workspace: envelope.workspace,
      url: textLike(/^https:\/\/monitor\.example\/app\/acme\/(incidents|inbox)\//),
      data: wholeData[type],
    })
    for (const url of [servicesUrl, triggersUrl]) {
      expect(chatMessage({ kind: 'chat_a', url, fact, envelope })).not.toContain(secret)
    }
    expect(chatMessage({ kind: 'chat_b', url: servicesUrl, fact, envelope })).not.toContain(secret)
  }
})

test('a test names the destination and leads to the notification settings', () => {
  const fact: DeliveryFact = { type: 'test', data: { destination: 'On call' } }
  expect(JSON.parse(eventBody(fact, envelope))).toMatchObject({
    type: 'test',
    url: 'https://monitor.example/app/acme/settings/notifications',
    data: { destination: 'On call' },
  })
})

test('what is null stays null in the body', () => {
  const incident = {
    ...facts['incident.opened'].data.incident,
    family: null,
    vulnKey: null,
  }
  const opened: DeliveryFact = { type: 'incident.opened', data: { incident } }
  expect(JSON.parse(eventBody(opened, envelope))).toMatchObject({
    data: { incident: { family: null, vulnKey: null } },
  })
  const report = { number: 1, family: null, receivedAt: '2026-09-12T08:00:00.000Z', acknowledgeBy: null }
  expect(JSON.parse(eventBody({ type: 'report.received', data: { report } }, envelope))).toMatchObject({
    data: { report },
  })
})

test('people are told what is affected, what fixes it and when the early warning is due; a webhook is not', () => {
  const about = {
    components: 'log4j-core 2.14.1',
    versions: '2.4.1',
    severity: 'critical' as const,
    fixedIn: 'log4j-core 2.15.0',
    earlyWarningDueAt: '2026-09-13T08:00:00.000Z',
  }
  const fact: DeliveryFact = { ...facts['incident.opened'], about }
  for (const [kind, url] of [
    ['chat_a', servicesUrl],
    ['chat_a', triggersUrl],
    ['chat_b', 'https://prod-1.westeurope.logic.azure.com/workflows/x'],
  ] as const) {
    const message = chatMessage({ kind, url, fact, envelope })
    for (const words of [
      'log4j-core 2.14.1',
      '2.4.1',
      'critical',
      'log4j-core 2.15.0',
      '13 Sept 2026, 08:00 UTC',
    ])
      expect(message).toContain(words)
  }
  const local = chatMessage({ kind: 'chat_a', url: servicesUrl, fact, envelope, timeZone: 'Europe/Oslo' })
  expect(local).toContain('13 Sept 2026, 10:00 CEST (08:00 UTC)')
  expect(eventBody(fact, envelope)).toBe(eventBody(facts['incident.opened'], envelope))
})
