/** Goes to a page of another service. Whoever comes back with the browser's own button finds the page loaded again, ready to go once more. */
export function leaveFor(url: string): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload()
  })
  window.location.assign(url)
}
