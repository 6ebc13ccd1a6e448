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
  const short = slug.slice(0, 40)
  return short.endsWith('-') ? short.slice(0, -1) : short
}
