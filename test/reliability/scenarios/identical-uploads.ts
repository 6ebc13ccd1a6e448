import { call } from '../../support/http.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'
import type { Outcome } from './outcome.ts'
import { fieldOf, listIn, objectIn } from '../../support/read-as.ts'

type Options = {
  /** HTTP processes on one store. */
  baseUrls: readonly string[]
  /** Each is limited to sixty requests an hour; a round of identical files uses `atOnce` of one, a round of reversed files two. */
  tokens: readonly string[]
  rounds?: number
  atOnce?: number
}

const requestsPerToken = 60
const components = 30

/**
 * Sends one new file many times in parallel, in rounds: it is new exactly once. Then files with the same new components in opposite order,
 * in parallel, to provoke deadlocks (goal 17). Failures: a round with another count, or an answer of 500 or more.
 */
export async function runIdenticalUploads(options: Options): Promise<Outcome> {
  const { baseUrls, tokens, rounds = 50, atOnce = 20 } = options
  const next = tokenGiver(tokens)
  const send = async (place: number, token: string, body: Buffer) => {
    const url = `${baseUrls[place % baseUrls.length] ?? ''}/api/v1/sboms`
    return call(url, { method: 'POST', token, body })
  }
  const failures: string[] = []
  let serverErrors = 0
  let onceNew = 0
  for (let round = 1; round <= rounds; round += 1) {
    const token = next(atOnce)
    const body = sampleSbom({ components, serial: round, offset: round * components })
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, place) => send(place, token, body)))
    const isNew = answers.filter(({ status }) => status === 202).length
    const others = answers.filter(({ status }) => status === 200).length
    const ids = new Set(answers.map((answer) => fieldOf(answer.body, 'id')))
    serverErrors += answers.filter(({ status }) => status >= 500).length
    if (isNew === 1) onceNew += 1
    if (isNew !== 1 || others !== atOnce - 1 || ids.size !== 1) {
      failures.push(`round ${round}: ${isNew} times 202, ${others} times 200, ${ids.size} ids`)
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    const token = next(2)
    const pair = reversedPair(rounds + round * 2, 1_000_000 + round * components)
    const answers = await Promise.all(pair.map((body, place) => send(place, token, body)))
    for (const { status } of answers) {
      if (status >= 500) serverErrors += 1
      if (status !== 202) failures.push(`reversed round ${round}: ${status}`)
    }
  }
  return { figures: { rounds, onceNew, serverErrors }, failures }
}

function reversedPair(serial: number, offset: number): Buffer[] {
  const one = sampleSbom({ components, serial, offset })
  const document = objectIn(one.toString())
  listIn(document, 'components').reverse()
  return [one, Buffer.from(JSON.stringify(document))]
}

/** Returns a token with at least so many requests left. */
function tokenGiver(tokens: readonly string[]): (requests: number) => string {
  let place = 0
  let used = 0
  return (requests) => {
    if (used + requests > requestsPerToken) {
      place += 1
      used = 0
    }
    used += requests
    const token = tokens[place]
    if (token === undefined) throw new Error('the scenario needs more tokens')
    return token
  }
}
