/** Copies a text. Browsers keep the clipboard from pages over plain HTTP, where only the older way is left. */
export async function copyText(text: string): Promise<void> {
  if (!window.isSecureContext) {
    copyByCommand(text)
    return
  }
  await navigator.clipboard.writeText(text)
}

/** As the copy key does, with another text than the selected one. */
function copyByCommand(text: string): void {
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', put)
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- it has no successor on these pages
    if (!document.execCommand('copy')) throw new Error('The browser refused to copy.')
  } finally {
    document.removeEventListener('copy', put)
  }
}
