/**
 * The sections of the documentation that hold every word of a query, the best first: a word in the title of a page counts more than one in a
 * heading, and that more than one in the text. Used by the server's page of results and by the search box in the browser.
 */
export function findSections(sections, query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ section }) => ({
      path: section.path,
      page: section.page,
      title: section.title,
      excerpt: excerptOf(section.text, words),
    }))
}

function scoreOf(section, words) {
  const page = section.page.toLowerCase()
  const title = section.title.toLowerCase()
  const text = section.text.toLowerCase()
  let score = 0
  for (const word of words) {
    const found =
      (page.includes(word) ? 8 : 0) +
      (title.includes(word) ? 12 : 0) +
      Math.min(text.split(word).length - 1, 5)
    if (found === 0) return 0
    score += found
  }
  return score
}

function excerptOf(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 50)
  const end = Math.min(text.length, start + 160)
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}
