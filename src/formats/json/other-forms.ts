const form = /^(?:\r\n)?--[^\r\n]{1,72}\r\n(?:[^\r\n]{1,500}\r\n){0,3}?content-disposition:/i
const tagValue = /^(?:#[^\n]*\n|\s)*SPDXVersion:/
const yaml = /^(?:---\s|["']?(?:spdxVersion|SPDXID|bomFormat|specVersion|dataLicense)["']?:)/
const turtle = /^(?:#[^\n]*\n|\s)*@?prefix\s[^\n<]{0,100}</i
/** `{"`, or `{` and a new line. */
const base64 = /^(?:eyJ|ewo|ew0K)[A-Za-z\d+/]{40}/

/** How forms begin that are no text; of a `Bom` the first field is its `spec_version` (https://github.com/CycloneDX/specification, bom-1.7.proto). */
const binaryForms: readonly (readonly [marks: readonly string[], detail: string])[] = [
  [['\xff\xfe', '\xfe\xff', '{\0', '[\0', '\0{', '\0['], 'the body is UTF-16: write the file as UTF-8'],
  [
    ['PK\u0003\u0004', 'PK\u0005\u0006'],
    'the body is a zip archive, as spreadsheets are: send the document itself, as JSON',
  ],
  [['\n\u00031.'], 'the body is CycloneDX as Protocol Buffers: send it as JSON'],
]

/** The beginning that tells them apart; comments before it may be as long. */
const headLength = 4_000

/** What a text is that is not JSON, and what to send instead; null when it is none of what people send by mistake. */
export function otherForm(text: string): string | null {
  const head = text.slice(0, headLength)
  // a boundary and the headers of a first part (RFC 7578)
  if (form.test(head))
    return 'the body is a multipart form: send the file itself (with curl --data-binary instead of --form)'
  if (tagValue.test(head)) return 'the body is an SPDX document as tag-value: send it as JSON'
  if (yaml.test(head)) return 'the body is YAML: send it as JSON'
  if (turtle.test(head)) return 'the body is RDF (Turtle): send it as JSON'
  return base64.test(head) ? 'the body is Base64: send the file itself' : binaryForm(head)
}

/** The same of bytes, which need not be a text. */
export function otherBytes(bytes: Uint8Array): string | null {
  return binaryForm(Buffer.from(bytes.subarray(0, 8)).toString('latin1'))
}

function binaryForm(head: string): string | null {
  const found = binaryForms.find(([marks]) => marks.some((mark) => head.startsWith(mark)))
  return found?.[1] ?? null
}
