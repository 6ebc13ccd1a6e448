/** What is typed again gladly: secrets, codes, and names that confirm something. */
const toBeTypedAgain =
  'input[type=password], input[name=confirmName], input[autocomplete=one-time-code], input[autocomplete=username]'
const texts = 'textarea, input:not([type=checkbox], [type=radio], [type=hidden])'

export function isToBeTypedAgain(node: HTMLElement | null): boolean {
  return node?.matches(toBeTypedAgain) === true
}

/** Text was typed into it, or a file put there; not a choice. */
export function isTypedInto(node: HTMLElement | null): boolean {
  return node?.matches(texts) === true && !isToBeTypedAgain(node)
}
