import { openBrowser, openContext } from '../e2e/support/open-browser.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { payloadCount } from '../test/reliability/scenarios/xss/payloads.ts'
import { runXss } from '../test/reliability/scenarios/xss/run-xss.ts'
import { startRealService } from '../test/support/real-service.ts'

type Provisioned = { workspaces: { families: { id: string; tokens: { token: string }[] }[] }[] }

const password = 'a long enough password'
const email = 'olga@pages.example'

export async function xss(): Promise<Outcome> {
  const real = await startRealService({ families: 1, env: { TRUST_PROXY: '1' } })
  const browser = await openBrowser()
  try {
    const { workspaces } = await real.service.cli<Provisioned>(['provision'], {
      workspaces: [
        {
          slug: 'pages',
          companyName: 'Pages',
          securityContactEmail: 'security@pages.example',
          plan: 'plus',
          members: [{ email, name: 'Olga', role: 'owner', password }],
          families: [{ name: 'Pump', tokens: [{ name: 'ci', kind: 'upload' }] }],
        },
      ],
    })
    const [family] = workspaces[0]?.families ?? []
    const page = await (await openContext(browser)).newPage()
    return await runXss(page, {
      baseUrl: real.service.baseUrl,
      slug: 'pages',
      owner: { email, password },
      familyId: family?.id ?? '',
      uploadToken: family?.tokens[0]?.token ?? '',
      cli: real.service.cli,
      query: real.query,
      payloads: Array.from({ length: payloadCount }, (_, number) => number),
    })
  } finally {
    await browser.close()
    await real.close()
  }
}
