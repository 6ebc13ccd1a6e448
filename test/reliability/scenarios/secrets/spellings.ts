/** Shorter texts would be found by chance. */
const shortest = 8

/** A text, and its possible encodings: in a dump, an address, a header or an unsealed column. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const spellings = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  for (const each of [bytes, ...bytesWithin(secret)]) {
    spellings.add(each.toString('hex'))
    for (const inside of insideBase64(each)) spellings.add(inside)
  }
  spellings.add([...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  return [...spellings].filter(({ length }) => length >= shortest)
}

/** The random part of a secret, before it was encoded as text. */
function bytesWithin(secret: string): Buffer[] {
  const random = secret.replace(/^(?:svc|whsec)_/, '')
  return /^[\w-]{32,}$/.test(random) ? [Buffer.from(random, 'base64url')] : []
}

/** The part of its base64 form that is independent of its offset in a longer text. */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = padded.toString('base64').replaceAll('=', '')
    const inside = whole.slice(before === 0 ? 0 : before + 1, -2)
    return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
