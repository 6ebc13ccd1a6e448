const attribute = 'data-mantine-color-scheme'

/** Paper is white whatever the screen shows: while the page is printed it has the colours of the light scheme. */
export function printLight(): void {
  const root = document.documentElement
  let onScreen: string | null = null
  function begin(): void {
    onScreen ??= root.getAttribute(attribute)
    root.setAttribute(attribute, 'light')
  }
  function end(): void {
    if (onScreen !== null) root.setAttribute(attribute, onScreen)
    onScreen = null
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  window.matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) begin()
    else end()
  })
}
