import type { DestinationKind } from '../../contract/alerts/shapes.ts'
import type { DeliveryFact } from '../../contract/alerts/events.ts'
import { inZoneAndUtc } from '../../contract/shown-time.ts'
import { eventUrl, type Envelope } from './event-body.ts'
import { bounded, boundedWording } from '../../notices/messages/bounded.ts'
import { wordingOf, type Wording } from '../../notices/messages/event-wording.ts'

type ChatInput = {
  kind: Exclude<DestinationKind, 'webhook'>
  /** Of the destination: the same chat product takes messages in one form and variables in another. */
  url: string
  fact: DeliveryFact
  envelope: Envelope
  /** Of the workspace. */
  timeZone?: string
}

/** The body of a post to a chat product. */
export function chatMessage({ kind, url, fact, envelope, timeZone = 'UTC' }: ChatInput): string {
  const said: Said = {
    ...boundedWording(wordingOf(fact, inZoneAndUtc(timeZone)), valueCharacters),
    workspace: bounded(envelope.workspace, valueCharacters),
    link: eventUrl(fact, envelope),
    type: fact.type,
  }
  if (kind === 'chat_b') return JSON.stringify(workflowCard(said))
  const isMessage = URL.parse(url)?.pathname.startsWith('/services/') === true
  return JSON.stringify(isMessage ? webhookMessage(said) : workflowVariables(said))
}

type Said = Wording & { workspace: string; link: string; type: string }

/** A header block takes 150 characters, escaped ones included. */
const headlineCharacters = 150
const valueCharacters = 500

/**
 * A message of Slack's incoming webhooks, in its Block Kit. Texts that people have written are plain text, which knows no mentions, links
 * or formatting; the three characters that Slack itself interprets are escaped everywhere.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
function webhookMessage({ headline, facts, linkText, workspace, link }: Said) {
  return {
    text: escapeSlack(headline),
    blocks: [
      { type: 'header', text: plain(bounded(headline, headlineCharacters), headlineCharacters) },
      {
        type: 'section',
        fields: facts.map(([label, value]) => plain(`${label}: ${value}`, 2_000)),
      },
      { type: 'section', text: { type: 'mrkdwn', text: `<${escapeSlack(link)}|${linkText}>` } },
      { type: 'context', elements: [plain(workspace, 2_000)] },
    ],
  }
}

/** The variables of Slack's workflows: flat, all texts, and the same names for every event, because a workflow declares them once. */
function workflowVariables({ headline, facts, workspace, link, type }: Said) {
  return {
    event: type,
    summary: escapeSlack(headline),
    details: escapeSlack(facts.map(([label, value]) => `${label}: ${value}`).join('\n')),
    workspace: escapeSlack(workspace),
    link,
  }
}

function plain(text: string, max: number) {
  return { type: 'plain_text', text: boundEscaped(text, max), emoji: false }
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Cut before it is escaped, so that no entity is cut in two. */
function boundEscaped(text: string, max: number): string {
  let kept = ''
  for (const character of text) {
    const escaped = escapeSlack(character)
    if (kept.length + escaped.length > max) return kept
    kept += escaped
  }
  return kept
}

/**
 * An Adaptive Card in the message that Teams workflows take. Texts are runs, which are shown as written: a text block would read Markdown in
 * them. Mentions need entities, and there are none. https://adaptivecards.io/explorer/RichTextBlock.html
 */
function workflowCard({ headline, facts, linkText, workspace, link }: Said) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: headline,
    body: [
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: headline, weight: 'Bolder', size: 'Medium' }],
      },
      ...facts.map(([label, value]) => ({
        type: 'RichTextBlock',
        spacing: 'Small',
        inlines: [
          { type: 'TextRun', text: `${label}: `, isSubtle: true },
          { type: 'TextRun', text: value },
        ],
      })),
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: workspace, size: 'Small', isSubtle: true }],
      },
    ],
    actions: [{ type: 'Action.OpenUrl', title: linkText, url: link }],
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  }
}
