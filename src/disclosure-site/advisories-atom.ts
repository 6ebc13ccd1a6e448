import { advisorySeverityNames } from '../contract/advisories/shapes.ts'
import type { PublicAdvisory } from '../advisories/feed/public-advisories.ts'
import { feedAddress, type Publisher } from '../advisories/feed/publisher.ts'
import { discloseRoot } from './page-frame.ts'

/** The public advisories as an Atom feed (RFC 4287), the newest change first. */
export function atomFeed(
  { slug, companyName, createdAt }: Publisher,
  advisories: readonly PublicAdvisory[],
  baseUrl: string,
): string {
  const pages = `${baseUrl}${discloseRoot}${slug}/advisories`
  const updated = advisories[0]?.releasedAt ?? createdAt
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `  <id>${text(pages)}</id>`,
    `  <title>${text(`Security advisories of ${companyName}`)}</title>`,
    `  <updated>${updated.toISOString()}</updated>`,
    `  <author><name>${text(companyName)}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${text(`${pages}.atom`)}"/>`,
    `  <link rel="alternate" type="text/html" href="${text(pages)}"/>`,
    ...advisories.map((advisory) => entry(advisory, { pages, feed: feedAddress(slug, baseUrl) })),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function entry(
  { trackingId, title, severity, number, summary, path, firstReleasedAt, releasedAt }: PublicAdvisory,
  { pages, feed }: { pages: string; feed: string },
): string {
  const page = text(`${pages}/${trackingId}`)
  const rated = severity === null ? '' : `Severity: ${advisorySeverityNames[severity]}. `
  return [
    '  <entry>',
    `    <id>${page}</id>`,
    `    <title>${text(`${trackingId}: ${title}`)}</title>`,
    `    <published>${firstReleasedAt.toISOString()}</published>`,
    `    <updated>${releasedAt.toISOString()}</updated>`,
    ...(severity === null
      ? []
      : [
          `    <category term="${severity}" label="${text(`Severity: ${advisorySeverityNames[severity]}`)}"/>`,
        ]),
    `    <summary>${text(`${rated}Version ${number}: ${summary}`)}</summary>`,
    `    <link rel="alternate" type="text/html" href="${page}"/>`,
    `    <link rel="related" type="application/json" href="${text(`${feed}/white/${path}`)}"/>`,
    '  </entry>',
  ].join('\n')
}

/** Without what XML 1.0 cannot say, even escaped: controls and noncharacters. */
function text(value: string): string {
  return value
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
