/** What mail programs decode as an encoded word (RFC 2047, §2). */
const encodedWord = /=\?[^\s?]*\?[bq]\?/i
/** A line of a header has 75 characters: `=?UTF-8?B?…?=` with 45 bytes in four characters for three. */
const wordBytes = 45

/** Whether a mail program would show something else than was typed. */
export function looksEncoded(text: string): boolean {
  return encodedWord.test(text)
}

/** A header's text, encoded as a whole so that what looks encoded in it is shown as it was typed (RFC 2047). */
export function encodedText(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > wordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}
