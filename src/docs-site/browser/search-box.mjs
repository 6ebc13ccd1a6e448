import { findSections, indexSections } from './find-sections.mjs'

/** The search box of /docs: finds while typing, in an index that is fetched once, when the box is first used. */
const form = document.querySelector('form.search')
const input = form.querySelector('input')
const panel = form.querySelector('.found')
let index

form.querySelector('button').hidden = true
panel.setAttribute('aria-live', 'polite')

async function indexed() {
  index ??= fetch('/docs/search.json')
    .then((answer) => answer.json())
    .then(indexSections)
  return index
}

function show(found) {
  panel.hidden = false
  const list = document.createElement('ul')
  for (const { path, page, title, excerpt } of found.slice(0, 8)) {
    const link = document.createElement('a')
    const small = document.createElement('small')
    link.href = path
    link.append(title === page ? page : `${page}: ${title}`, small)
    small.textContent = excerpt
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  const count = document.createElement('p')
  count.textContent =
    found.length === 0 ? 'Nothing found.' : `${found.length} found. Arrow keys choose, Enter opens.`
  panel.replaceChildren(count, list)
}

async function search() {
  const query = input.value
  if (query.trim() === '') {
    panel.hidden = true
    return
  }
  const found = findSections(await indexed(), query)
  if (input.value === query) show(found)
}

function move(step) {
  const places = [input, ...panel.querySelectorAll('a')]
  const next = places[places.indexOf(document.activeElement) + step]
  if (next !== undefined) next.focus()
}

input.addEventListener('input', search)
input.addEventListener('focus', indexed)
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    panel.hidden = true
    input.focus()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  move(event.key === 'ArrowDown' ? 1 : -1)
})
document.addEventListener('keydown', (event) => {
  if (
    event.key !== '/' ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    form.contains(document.activeElement)
  )
    return
  event.preventDefault()
  input.focus()
})
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) panel.hidden = true
})
