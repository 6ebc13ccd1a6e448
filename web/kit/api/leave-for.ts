/** Leaves for a page of another service. Returning with the Back button reloads the page, ready to leave again. */
export function leaveFor(url: string): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload()
  })
  window.location.assign(url)
}
