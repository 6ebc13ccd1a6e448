const key = 'last-workspace'

/** The last used workspace opens first. Only a convenience: a browser without storage asks instead. */
export function rememberWorkspace(slug: string): void {
  try {
    window.localStorage.setItem(key, slug)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

export function lastWorkspace(): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
