import type { LetterFact } from '../../contract/notices/letters.ts'
import type { DigestFact, MailFact, NoticeFact, WeeklyFact } from '../../contract/notices/shapes.ts'
import { inZoneAndUtc, type ShowTime } from '../../contract/shown-time.ts'
import { checkedUrl } from '../../html/checked-url.ts'
import { html, type Html } from '../../html/html.ts'
import { bounded, boundedWording } from '../messages/bounded.ts'
import type { Wording } from '../messages/event-wording.ts'
import { noticePath } from '../notice-path.ts'
import { noticeWording } from '../wording.ts'
import { weeklyWording } from '../weekly/wording.ts'
import { letterPath, letterWording } from './letter-wording.ts'

type Composing = {
  fact: MailFact
  /** null: about the person's own account. */
  workspace: {
    slug: string
    companyName: string
    /** Of the recipient in it. */
    timeZone: string
  } | null
  serviceName: string
  /** Without trailing slash. */
  baseUrl: string
}

export type Composed = { subject: string; text: string; html: string; unsubscribeUrl: string | null }

/** What a message says: plain words, what happened first, one link; of a digest also the way to choose what comes. */
export function composeMail(composing: Composing): Composed {
  const { fact } = composing
  const parts = partsOf(fact, composing)
  return {
    subject: parts.headline,
    text: textOf(parts),
    html: htmlOf(parts).toString(),
    unsubscribeUrl: parts.settingsUrl,
  }
}

function partsOf(fact: MailFact, recipient: Recipient): Parts {
  if (fact.type === 'digest') return digestParts(fact, recipient)
  return fact.type === 'weekly.report' ? weeklyParts(fact, recipient) : noticeParts(fact, recipient)
}

type Letter = {
  fact: LetterFact
  /** Of its link; null: a letter without one, or the words that are stored. */
  secret: string | null
  serviceName: string
  baseUrl: string
}

/** The text of a letter. Its secret comes after the `#`, which browsers send to nobody. */
export function composeLetter({ fact, secret, serviceName, baseUrl }: Letter): Composed {
  const said = boundedWording(letterWording(fact), valueCharacters)
  const address = `${baseUrl}/app/${letterPath(fact)}`
  const parts = {
    headline: bounded(said.headline, subjectCharacters),
    blocks: [{ title: null, facts: said.facts }],
    more: 0,
    link: { words: said.linkText, url: secret === null ? address : `${address}#${secret}` },
    from: bounded(serviceName, valueCharacters),
    settingsUrl: null,
  }
  return {
    subject: parts.headline,
    text: textOf(parts),
    html: htmlOf(parts).toString(),
    unsubscribeUrl: null,
  }
}

type Parts = {
  headline: string
  /** A title only where there are several. */
  blocks: { title: string | null; facts: Wording['facts'] }[]
  more: number
  link: { words: string; url: string }
  from: string
  settingsUrl: string | null
}

type Recipient = Omit<Composing, 'fact'>

const subjectCharacters = 200
const valueCharacters = 300

function showTimeOf({ workspace }: Recipient): ShowTime {
  return inZoneAndUtc(workspace?.timeZone ?? 'UTC')
}

function noticeParts(fact: NoticeFact, recipient: Recipient): Parts {
  const said = boundedWording(noticeWording(fact, showTimeOf(recipient)), valueCharacters)
  const path = noticePath(fact, recipient.workspace?.slug ?? null)
  return {
    headline: bounded(said.headline, subjectCharacters),
    blocks: [{ title: null, facts: said.facts }],
    more: 0,
    link: { words: said.linkText, url: `${recipient.baseUrl}${path}` },
    from: senderName(recipient),
    settingsUrl: null,
  }
}

function digestParts({ data: { notices, more } }: DigestFact, recipient: Recipient): Parts {
  const show = showTimeOf(recipient)
  const said = notices.map((notice) => boundedWording(noticeWording(notice.fact, show), valueCharacters))
  const [first] = said
  const headline =
    said.length + more === 1 && first !== undefined
      ? `Today: ${first.headline}`
      : `Today: ${said.length + more} notices`
  const workspaceUrl = `${recipient.baseUrl}/app/${recipient.workspace?.slug ?? ''}`
  return {
    headline: bounded(headline, subjectCharacters),
    blocks: said.map((one) => ({ title: one.headline, facts: one.facts })),
    more,
    link: { words: 'Open the workspace', url: workspaceUrl },
    from: senderName(recipient),
    settingsUrl: `${workspaceUrl}/account/notifications`,
  }
}

function weeklyParts({ data }: WeeklyFact, recipient: Recipient): Parts {
  const said = boundedWording(weeklyWording(data, showTimeOf(recipient)), valueCharacters)
  const workspaceUrl = `${recipient.baseUrl}/app/${recipient.workspace?.slug ?? ''}`
  return {
    headline: bounded(said.headline, subjectCharacters),
    blocks: [{ title: null, facts: said.facts }],
    more: 0,
    link: { words: said.linkText, url: `${workspaceUrl}/metrics?days=30` },
    from: senderName(recipient),
    settingsUrl: `${workspaceUrl}/account/notifications`,
  }
}

function senderName({ workspace, serviceName }: Recipient): string {
  const name = workspace === null ? serviceName : `${workspace.companyName} · ${serviceName}`
  return bounded(name, valueCharacters)
}

const moreWords = (more: number): string => `and ${more} more, in the application`

function textOf({ headline, blocks, more, link, from, settingsUrl }: Parts): string {
  const paragraphs = [
    headline,
    ...blocks.map(({ title, facts }) =>
      title === null ? linesOf(facts, '') : [title, linesOf(facts, '  ')].join('\n'),
    ),
    ...(more > 0 ? [moreWords(more)] : []),
    `${link.words}: ${link.url}`,
    from,
    ...(settingsUrl === null ? [] : [`Choose what you get: ${settingsUrl}`]),
  ]
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`
}

function linesOf(facts: Wording['facts'], indent: string): string {
  return facts.map(([label, value]) => `${indent}${label}: ${value}`).join('\n')
}

function blockOf({ title, facts }: Parts['blocks'][number]): Html {
  const rows = facts.map(
    ([label, value]) =>
      html`<tr>
        <td style="padding: 2px 12px 2px 0; color: #5c6470; vertical-align: top">${label}</td>
        <td style="padding: 2px 0">${value}</td>
      </tr>`,
  )
  const heading = title === null ? null : html`<h2 style="font-size: 15px; margin: 20px 0 4px">${title}</h2>`
  return html`${heading}
    <table role="presentation" cellpadding="0" cellspacing="0">
      ${rows}
    </table>`
}

function htmlOf({ headline, blocks, more, link, from, settingsUrl }: Parts): Html {
  const settings =
    settingsUrl === null
      ? null
      : html`<p style="color: #5c6470; font-size: 13px">
          <a href="${checkedUrl(settingsUrl)}">Choose what you get</a>
        </p>`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${headline}</title>
      </head>
      <body
        style="margin: 0; padding: 24px; font: 15px/1.5 -apple-system, 'Segoe UI', Roboto, Arial, sans-serif"
      >
        <div style="max-width: 560px; margin: 0 auto">
          <h1 style="font-size: 19px; line-height: 1.3; margin: 0 0 12px">${headline}</h1>
          ${blocks.map(blockOf)} ${more > 0 ? html`<p>${moreWords(more)}</p>` : null}
          <p style="margin: 20px 0"><a href="${checkedUrl(link.url)}">${link.words}</a></p>
          <p style="color: #5c6470; font-size: 13px">${from}</p>
          ${settings}
        </div>
      </body>
    </html> `
}
