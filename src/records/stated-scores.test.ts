import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openZip } from '../source-files/zip-entries.ts'
import { scoreCvss } from '../formats/cvss/cvss.ts'

/** Records of the CVE program with CVSS data: vectors, each with the score that whoever wrote it worked out. */
const samples = join(import.meta.dirname, '../../../shared/data/vulnrichment.zip')
const isAbsent = !existsSync(samples)

/** Stated by CNAs, and not what FIRST's equations give: most of them rounded up once more. */
const wronglyStated = new Map([
  ['CVSS:3.1/AV:A/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.1],
  ['CVSS:3.1/AV:A/AC:L/PR:L/UI:R/S:C/C:H/I:H/A:H', 8.5],
  ['CVSS:3.1/AV:L/AC:H/PR:L/UI:R/S:C/C:H/I:H/A:H', 7.6],
  ['CVSS:3.1/AV:L/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H', 8.2],
  ['CVSS:3.1/AV:L/AC:L/PR:L/UI:R/S:C/C:H/I:H/A:N', 7.8],
  ['CVSS:3.1/AV:N/AC:H/PR:H/UI:R/S:C/C:H/I:H/A:H', 7.7],
  ['CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:C/C:H/I:H/A:N', 5.3],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H', 9.1],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:H/A:H', 8.4],
  ['CVSS:3.1/AV:N/AC:L/PR:H/UI:R/S:C/C:H/I:H/A:H', 8.5],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 10],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:H/I:H/A:H', 9.1],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.7],
  ['CVSS:3.1/AV:P/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 7.4],
])

type Stated = { vector: string; score: number }

function* statedScores(value: unknown): Generator<Stated> {
  if (typeof value !== 'object' || value === null) return
  if ('vectorString' in value && 'baseScore' in value) {
    yield { vector: String(value.vectorString), score: Number(value.baseScore) }
  }
  for (const field of Object.values(value)) yield* statedScores(field)
}

test.skipIf(isAbsent)(
  `the scores stated beside vectors are ours${isAbsent ? ' (skipped: ../shared/data/vulnrichment.zip is absent)' : ''}`,
  async () => {
    const zip = await openZip(samples)
    const others = new Map<string, number>()
    const vectors = new Set<string>()
    try {
      for await (const { bytes } of zip.read()) {
        for (const { vector, score } of statedScores(JSON.parse(bytes.toString()))) {
          vectors.add(vector)
          if (scoreCvss(vector)?.score !== score) others.set(vector, score)
        }
      }
    } finally {
      await zip.close()
    }
    expect(vectors.size).toBe(570)
    // Neither another difference nor a listed one that is gone.
    expect([...others].toSorted()).toEqual([...wronglyStated].toSorted())
  },
)
