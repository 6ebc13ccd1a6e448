/** What generators write where they know no version, lower case. */
const placeholders = new Set([
  ...[
    '',
    '-',
    '*',
    '?',
    'v',
    'unknown',
    'noassertion',
    'none',
    'n/a',
    'na',
    'nil',
    'null',
    'undefined',
    'unspecified',
  ],
  ...['(none)', '(unknown)', '(devel)', 'latest', 'release', 'x', 'head', 'not specified', 'no version'],
])

/** Beginnings of a range in the languages of npm, Maven, PEP 440, RubyGems, Cargo and vers. */
const rangeBeginning = /^(?:[\^~<>=![(]|vers:)/

/** Wherever they occur, the text is a range, or a template that was never filled in. */
const rangePart = /[*<>]|\|\|| - |\$\{|\$\(|\{\{/

/** `1.x` in npm, `1.2.+` in Gradle. */
const rangeEnding = /\.[xX+]$/

/**
 * The one version a version field states; '' where it holds a placeholder or a range. Such components are matched by
 * name only.
 */
export function statedVersion(text: string | null): string {
  const version = (text ?? '').trim()
  if (placeholders.has(version.toLowerCase()) || isRange(version)) return ''
  return version
}

/** vcpkg counts its own changes to a port behind the version of what it builds: `7.74.0#2`. */
export function withoutPortRevision(version: string): string {
  return version.replace(/#\d+$/, '')
}

function isRange(version: string): boolean {
  return rangeBeginning.test(version) || rangePart.test(version) || rangeEnding.test(version)
}
