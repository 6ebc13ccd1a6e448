/** More words than anybody types; each is looked for in every text. */
const mostWords = 8
const mostCounted = 5

/** The sections with what is looked through, in lower case: made once, for any number of queries. */
export function indexSections(sections) {
  return sections.map((section) => ({
    section,
    page: section.page.toLowerCase(),
    title: section.title.toLowerCase(),
    text: section.text.toLowerCase(),
  }))
}

/**
 * The sections of an index that hold every word of a query, the best first: a word in the title of a page counts more than one in a heading, and that
 * more than one in the text. Used by the server's page of results and by the search box in the browser.
 */
export function findSections(index, query) {
  const typed = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const words = [...new Set(typed)].slice(0, mostWords)
  if (words.length === 0) return []
  return index
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ entry: { section, text } }) => ({
      path: section.path,
      page: section.page,
      title: section.title,
      excerpt: excerptOf(section.text, text, words),
    }))
}

function scoreOf({ page, title, text }, words) {
  let score = 0
  for (const word of words) {
    const found = (page.includes(word) ? 8 : 0) + (title.includes(word) ? 12 : 0) + timesIn(text, word)
    if (found === 0) return 0
    score += found
  }
  return score
}

/** Counted no further than it matters. */
function timesIn(text, word) {
  let times = 0
  for (
    let at = text.indexOf(word);
    at >= 0 && times < mostCounted;
    at = text.indexOf(word, at + word.length)
  ) {
    times += 1
  }
  return times
}

function excerptOf(text, lowered, words) {
  const places = words.map((word) => lowered.indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 50)
  const end = Math.min(text.length, start + 160)
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}
