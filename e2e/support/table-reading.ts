/**
 * Reads the tables of the open page as they are drawn. Runs in the browser: it answers every place where two texts of a row lie over each
 * other, where a text that must be whole is cut, where a row of a table with versions is higher than one line, where a name has less than
 * half of the room that it shares with its version, where a column is empty while a text of its table is cut, and where room at the end of
 * a table belongs to no column.
 */
export const readTables = `((wholeTexts, oneLinePx) => {
  const found = []
  const clipOf = (element, cell) => {
    let box = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 }
    let isOwnLine = true
    for (let at = element; at !== null; at = at === cell ? null : at.parentElement) {
      const { display, overflowX, overflowY, textOverflow, paddingRight } = getComputedStyle(at)
      if (at !== cell && !display.startsWith('inline')) isOwnLine = false
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const { left, top, bottom, ...edges } = at.getBoundingClientRect().toJSON()
      // dots take the place of what reaches from a line of the cell's own into the room beside it
      const right = edges.right - (at === cell && isOwnLine && textOverflow === 'ellipsis' ? parseFloat(paddingRight) : 0)
      box = {
        left: Math.max(box.left, left),
        top: Math.max(box.top, top),
        right: Math.min(box.right, right),
        bottom: Math.min(box.bottom, bottom),
      }
    }
    return box
  }
  const textsOf = (cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const texts = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.data.trim()
      if (text === '') continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const clip = clipOf(node.parentElement, cell)
      for (const { left, top, right, bottom } of range.getClientRects()) {
        const shown = {
          left: Math.max(left, clip.left),
          top: Math.max(top, clip.top),
          right: Math.min(right, clip.right),
          bottom: Math.min(bottom, clip.bottom),
        }
        // what only those hear who do not see is a box of one pixel
        if (right - left < 2 || clip.right - clip.left < 2) continue
        const cut = shown.right < right - 1 || shown.left > left + 1 || shown.bottom < bottom - 4 || shown.top > top + 4
        texts.push({ cell, node, text, shown, cut })
      }
    }
    return texts
  }
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3
  const isWhole = (text) => /^[\\d][\\d\\s,.]*$/.test(text) || wholeTexts.some((whole) => text.includes(whole))
  let tables = 0
  for (const table of document.querySelectorAll('main table')) {
    if (table.getAttribute('aria-busy') === 'true') continue
    const name = table.getAttribute('aria-label')
    tables += 1
    let cuts = 0
    const filled = new Set()
    const rows = [...table.querySelectorAll('tbody tr[data-row]')].slice(0, 20)
    const heads = [...table.querySelectorAll('thead th')].filter((head) => head.offsetParent !== null)
    const taken = [...table.querySelectorAll('thead tr > *')].reduce((sum, head) => sum + head.getBoundingClientRect().width, 0)
    const room = table.getBoundingClientRect().width - taken
    if (room > 2) found.push(name + ': ' + Math.round(room) + ' px belong to no column')
    const seen = new Set()
    const note = (words) => { if (!seen.has(words)) found.push(words); seen.add(words) }
    for (const row of [table.querySelector('thead tr'), ...rows]) {
      const cells = [...row.children].filter((cell) => cell.offsetParent !== null && cell.querySelector('input:not([role=switch])') === null)
      const texts = cells.flatMap(textsOf)
      cells.forEach((cell, at) => { if (cell.textContent.trim() !== '' || cell.querySelector('svg, button, input') !== null) filled.add(at) })
      for (const { cell, node, text, cut } of texts) {
        // its end is drawn beside it, and all of it shows on hover
        const shortened = node.parentElement.closest('[data-tail]')
        if (shortened !== null && shortened.title === '') note(name + ': "' + text.slice(0, 60) + '" is not whole on hover')
        if (!cut || shortened !== null) continue
        const head = heads[cells.indexOf(cell)]?.textContent ?? ''
        if (row.parentElement.tagName === 'THEAD') note(name + ': the head "' + text + '" is cut')
        else if (isWhole(text)) note(name + ', ' + head + ': "' + text.slice(0, 60) + '" is cut')
        else if (cell.querySelector('svg') !== null && cell.querySelector('.clip, code') === null) note(name + ', ' + head + ': the mark "' + text + '" is cut')
        else cuts += 1
      }
      texts.forEach((one, at) => {
        for (const other of texts.slice(at + 1))
          // a text that ends in dots has a box of its own for what is left of it
          if (one.node !== other.node && overlap(one.shown, other.shown)) note(name + ': "' + one.text.slice(0, 40) + '" lies over "' + other.text.slice(0, 40) + '"')
      })
      if (row.parentElement.tagName === 'THEAD') { filled.clear(); continue }
      const heightPx = row.getBoundingClientRect().height
      if (row.querySelector('[data-tail]') !== null && heightPx > oneLinePx + 1) note(name + ': a row is ' + Math.round(heightPx) + ' px high')
      for (const both of row.querySelectorAll('.named')) {
        const named = both.querySelector('.named-first')
        if (named === null || both.offsetParent === null) continue
        const shown = named.getBoundingClientRect().width
        const text = named.querySelector('bdi')
        if (text.scrollWidth > text.clientWidth + 1 && shown < both.getBoundingClientRect().width / 2 - 1)
          note(name + ': the name "' + text.textContent.slice(0, 40) + '" has ' + Math.round(shown) + ' px')
      }
    }
    if (rows.length > 0 && cuts > 0)
      heads.forEach((head, at) => { if (!filled.has(at)) note(name + ': "' + head.textContent + '" is empty while texts are cut') })
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (wide > 0) found.push('the page is ' + wide + ' px too wide')
  return { tables, found }
})`

/** Every visible or accessible text of the page that contains an invisible character. */
export const readHidden = `(() => {
  const hidden = /[\\p{Cf}\\p{Zl}\\p{Zp}]|(?![\\n\\t])\\p{Cc}/u
  const found = hidden.test(document.title) ? ['title: ' + document.title] : []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === 3) {
      if (hidden.test(node.data) && !['SCRIPT', 'STYLE'].includes(node.parentElement.tagName)) found.push('text: ' + node.data)
      continue
    }
    for (const name of ['title', 'aria-label', 'alt', 'placeholder', 'label', 'aria-description'])
      if (hidden.test(node.getAttribute(name) ?? '')) found.push(name + ': ' + node.getAttribute(name))
  }
  return found.map((words) => JSON.stringify(words.slice(0, 120)))
})()`
