const longest = 40
/** What an address has at least. */
const shortest = 3

/** A workspace address made from the company's name: "Müller & Søn AS" → "muller-son-as". */
export function suggestSlug(companyName: string): string {
  const letters = companyName
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
  let slug = ''
  for (const letter of letters) {
    if (/[a-z0-9]/.test(letter)) slug += letter
    else if (/[\s\-_.,&/]/.test(letter) && slug !== '' && !slug.endsWith('-')) slug += '-'
  }
  const short = slug.slice(0, endOf(slug))
  return short.endsWith('-') ? short.slice(0, -1) : short
}

/** Behind a whole word, where there is one. */
function endOf(slug: string): number {
  if (slug.length <= longest) return slug.length
  const dash = slug.lastIndexOf('-', longest)
  return dash < shortest ? longest : dash
}
