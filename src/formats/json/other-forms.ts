const form = /^(?:\r\n)?--[^\r\n]{1,72}\r\n(?:[^\r\n]{1,500}\r\n){0,3}?content-disposition:/i
const tagValue = /^(?:#[^\n]*\n|\s)*SPDXVersion:/
const yaml = /^(?:---\s|["']?(?:spdxVersion|SPDXID|bomFormat|specVersion|dataLicense)["']?:)/

/** The beginning that tells them apart; comments before it may be as long. */
const headLength = 4_000

/** What a text is that is not JSON, and what to send instead; null when it is none of what people send by mistake. */
export function otherForm(text: string): string | null {
  const head = text.slice(0, headLength)
  // a boundary and the headers of a first part (RFC 7578)
  if (form.test(head))
    return 'the body is a multipart form: send the file itself (with curl --data-binary instead of --form)'
  if (tagValue.test(head)) return 'the body is an SPDX document as tag-value: send it as JSON'
  return yaml.test(head) ? 'the body is YAML: send it as JSON' : null
}
