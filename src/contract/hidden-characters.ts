/** Scripts whose words may hold a joiner (Unicode Standard 12.1, 9.2). */
const joining = [
  'Arab',
  'Syrc',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')
/** Between the parts of an emoji, and between letters that it joins or separates, a joiner is part of what one sees. */
const joiners = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`,
]

/**
 * Invisible characters that make a text look like another: controls and line ends, zero-width characters, soft hyphens, tags, and
 * those that reverse the direction of what follows (U+202E). General categories Cc, Cf, Zl and Zp of Unicode.
 */
const hidden = new RegExp(String.raw`(?!${joiners.join('|')})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, 'gu')

/** The text with every such character written as its code point: `a[U+202E]b`. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, nameOf)
}

/** The same for text of several lines, such as a comment: its line ends are kept. */
export function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => visibleText(line.replaceAll('\t', ' ')))
    .join('\n')
}

/** The text without them, for texts that are published; line ends and tabs are kept. */
export function withoutHidden(text: string): string {
  return text.replaceAll(hidden, (character) => {
    if (character === '\u2028' || character === '\u2029') return '\n'
    return /[\t\n\r]/.test(character) ? character : ''
  })
}

/** Also letters that fill the place of another and a pattern of Braille without dots. */
const unseen = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether nothing is seen of it: such a text is as good as none. */
export function looksEmpty(text: string): boolean {
  return unseen.test(text)
}

/** What is wrong with a name that has one; undefined without. */
export function hiddenCharacterProblem(name: string): string | undefined {
  const [found] = name.match(hidden) ?? []
  return found === undefined ? undefined : `It contains an invisible character (${codePoint(found)}).`
}

function nameOf(character: string): string {
  return `[${codePoint(character)}]`
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
