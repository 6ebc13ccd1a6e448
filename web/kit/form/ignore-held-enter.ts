/**
 * Enter that is held down counts once. The browser repeats it: held on the button of a dialog it would send the form that has just opened, and
 * held on a button that is done it would press the next one. Only the text field that it began in takes more lines.
 */
export function ignoreHeldEnter(): void {
  let began: EventTarget | null = null
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    if (!event.repeat) began = event.target
    else if (!(event.target instanceof HTMLTextAreaElement) || event.target !== began) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  window.addEventListener('keydown', onKey, { capture: true })
}
