/** Fields whose text is not worth a warning: secrets, codes, and names typed as confirmation. */
const toBeTypedAgain =
  'input[type=password], input[name=confirmName], input[autocomplete=one-time-code], input[autocomplete=username]'
const texts = 'textarea, input:not([type=checkbox], [type=radio], [type=hidden])'

export function isToBeTypedAgain(node: HTMLElement | null): boolean {
  return node?.matches(toBeTypedAgain) === true
}

/** True for typed text and files, false for choices. */
export function isTypedInto(node: HTMLElement | null): boolean {
  return node?.matches(texts) === true && !isToBeTypedAgain(node)
}
