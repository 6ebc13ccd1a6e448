import type { Page } from 'playwright-core'
import { canary, foreignHost, markOf } from './payloads.ts'

/** Forbidden effects of a text on a page. */
export type Watched = {
  /** Opens an address, waits until the page is complete, and notes which marks are in it. */
  look: (path: string, fields: readonly string[], waitFor?: string) => Promise<void>
  /** Opens the HTML part of a message without a content security policy: mail programs do not have ours. */
  lookAtMail: (html: string, fields: readonly string[]) => Promise<void>
  figures: () => {
    pages: number
    shown: number
    /** Number of marks found in messages. */
    mailed: number
    executions: number
    outboundRequests: number
    policyBreaches: number
  }
  /** Whether a payload of the field was in a page, and in a message. */
  wasSeen: (field: string) => { inPage: boolean; inMail: boolean }
  failures: string[]
}

/** Links that run code, and payload markup that became part of the page. */
const injected = `[...document.querySelectorAll('a, form, iframe, base, img, link, script, object, embed')].flatMap((element) =>
  ['href', 'src', 'action', 'srcdoc'].map((name) => element.getAttribute(name) ?? '').filter((value) =>
    /^\\s*(javascript|data:text\\/html|vbscript):/i.test(value) || (URL.canParse(value, location.href) && new URL(value, location.href).host === '${foreignHost}')
  ).map((value) => element.tagName + ' leads to ' + value.slice(0, 80))
).concat([...document.querySelectorAll('[onerror], [onload], [onfocus], [ontoggle], [onbegin], [onmouseover]')].map((element) =>
  element.tagName + ' has a handler'))`

const startWatching = `
  globalThis.${canary} = (mark) => { globalThis.noteExecution(String(mark)) }
  document.addEventListener('securitypolicyviolation', (event) => {
    globalThis.noteBreach(event.violatedDirective + ' ' + event.blockedURI)
  })`

/** Watches from before the first address on. */
export async function watch(
  page: Page,
  { baseUrl, payloads }: { baseUrl: string; payloads: readonly number[] },
): Promise<Watched> {
  const failures: string[] = []
  const counts = { pages: 0, executions: 0, outboundRequests: 0, policyBreaches: 0 }
  const shown = new Set<string>()
  const mailed = new Set<string>()
  const note = (kind: 'executions' | 'outboundRequests' | 'policyBreaches', what: string) => {
    counts[kind] += 1
    failures.push(`${new URL(page.url()).pathname}: ${what}`)
  }
  await page.exposeFunction('noteExecution', (mark: string) => note('executions', `executed ${mark}`))
  await page.exposeFunction('noteBreach', (what: string) =>
    note('policyBreaches', `the policy stopped ${what}`),
  )
  await page.addInitScript(startWatching)
  page.on('dialog', (dialog) => {
    note('executions', `a dialog says ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseUrl}/`) && !url.startsWith('data:image/'))
      note('outboundRequests', `asked for ${url}`)
  })
  const lookAround = async (fields: readonly string[], found: Set<string>) => {
    await page.waitForLoadState('networkidle')
    const html = await page.content()
    for (const field of fields)
      for (const number of payloads)
        if (html.includes(markOf(number, field))) found.add(markOf(number, field))
    for (const injection of await page.evaluate<string[]>(injected)) note('executions', injection)
  }
  return {
    failures,
    figures: () => ({ ...counts, shown: shown.size, mailed: mailed.size }),
    wasSeen: (field) => {
      const isIn = (marks: Set<string>) => payloads.some((number) => marks.has(markOf(number, field)))
      return { inPage: isIn(shown), inMail: isIn(mailed) }
    },
    lookAtMail: async (html, fields) => {
      const url = `${baseUrl}/a-message`
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }))
      await page.goto(url)
      await lookAround(fields, mailed)
      await page.unroute(url)
    },
    look: async (path, fields, waitFor) => {
      const answer = await page.goto(`${baseUrl}${path}`)
      if (answer?.status() !== 200) throw new Error(`${path} was answered ${answer?.status()}`)
      const policy = answer.headers()['content-security-policy'] ?? ''
      if (!isStrict(policy)) note('policyBreaches', `the policy is ${policy}`)
      if (waitFor !== undefined) await page.getByText(waitFor).first().waitFor({ state: 'attached' })
      await lookAround(fields, shown)
      counts.pages += 1
    },
  }
}

/** Allows only the service's own script files, or none at all. */
function isStrict(policy: string): boolean {
  const directives = new Map(policy.split(';').map((each) => [each.trim().split(' ')[0], each.trim()]))
  const scripts = directives.get('script-src') ?? directives.get('default-src') ?? ''
  return scripts !== '' && !/unsafe|\*|https?:|data:|nonce/.test(scripts) && directives.has('base-uri')
}
