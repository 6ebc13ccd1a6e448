import type { BadgeMessage, BadgeTone } from '../contract/metrics/badge.ts'
import { html } from '../html/html.ts'

/** White words on them have a contrast of at least 4.5. */
const fills: Record<BadgeTone, string> = {
  alarm: '#b3261e',
  warning: '#a84404',
  good: '#1e7032',
  unknown: '#57606a',
}

const label = 'vulnerabilities'
const height = 20
const padding = 7
/** Of a character of Verdana in 11 px, on average; `textLength` makes the words fit where it differs. */
const characterWidth = 6.6

/** The badge as an SVG (https://www.w3.org/TR/SVG2/) without script, links or anything to load. The words say it; the colour repeats it. */
export function drawBadge({ tone, words }: BadgeMessage): string {
  const left = widthOf(label)
  const right = widthOf(words)
  const total = left + right
  const drawn = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${total}"
    height="${height}"
    viewBox="0 0 ${total} ${height}"
    role="img"
    aria-label="${label}: ${words}"
  >
    <title>${label}: ${words}</title>
    <rect width="${left}" height="${height}" fill="#2f343a"></rect>
    <rect x="${left}" width="${right}" height="${height}" fill="${fills[tone]}"></rect>
    <g fill="#fff" font-family="Verdana, Geneva, sans-serif" font-size="11">
      <text x="${padding}" y="14" textLength="${left - 2 * padding}">${label}</text>
      <text x="${left + padding}" y="14" textLength="${right - 2 * padding}">${words}</text>
    </g>
  </svg>`
  return drawn.toString().replaceAll(/\s+/g, ' ').replaceAll('> <', '><')
}

function widthOf(words: string): number {
  return Math.ceil(words.length * characterWidth) + 2 * padding
}
