import { expect, it } from 'vitest'
import { readAdvisoryId } from './advisory-id.ts'

const site = 'https://alas.aws.amazon.com'

it.each<[id: string, ecosystem: string, topic: string | null, url: string]>([
  ['ALAS-2018-939', 'Amazon Linux 1', null, `${site}/ALAS-2018-939.html`],
  ['ALAS2-2018-939', 'Amazon Linux:2', null, `${site}/AL2/ALAS-2018-939.html`],
  ['ALAS2GOLANG1.19-2023-001', 'Amazon Linux:2', 'GOLANG1.19', `${site}/AL2/ALASGOLANG1.19-2023-001.html`],
  ['ALAS2KERNEL-5.10-2022-001', 'Amazon Linux:2', 'KERNEL-5.10', `${site}/AL2/ALASKERNEL-5.10-2022-001.html`],
  ['ALASKERNEL-5.4-2022-001', 'Amazon Linux:2', 'KERNEL-5.4', `${site}/AL2/ALASKERNEL-5.4-2022-001.html`],
  ['ALAS2LIVEPATCH-2021-030', 'Amazon Linux:2', 'LIVEPATCH', `${site}/AL2/ALASLIVEPATCH-2021-030.html`],
  ['ALAS2022-2021-001', 'Amazon Linux:2022', null, `${site}/AL2022/ALAS2022-2021-001.html`],
  ['ALAS2023-2023-001', 'Amazon Linux:2023', null, `${site}/AL2023/ALAS2023-2023-001.html`],
  [
    'ALAS2023LIVEPATCH-2023-003',
    'Amazon Linux:2023',
    'LIVEPATCH',
    `${site}/AL2023/ALASLIVEPATCH-2023-003.html`,
  ],
])('%s', (id, ecosystem, topic, url) => {
  expect(readAdvisoryId(id)).toEqual({ ecosystem, topic, url })
})

it.each(['', 'ALAS', 'FEDORA-2024-1', 'ALAS2-2018', 'alas2-2018-939', 'ALAS2 <b>-2018-939'])(
  '%s is not such an id',
  (id) => {
    expect(readAdvisoryId(id)).toBeUndefined()
  },
)
