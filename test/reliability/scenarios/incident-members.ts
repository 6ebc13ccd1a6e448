import {
  changeAwareness,
  decideDetermination,
  recordDetermination,
} from '../../../src/contract/incidents/act-operations.ts'
import type { Db } from '../../../src/database/connection.ts'
import { AppSession } from '../../support/app-session.ts'
import type { Answer } from '../../support/http.ts'
import { untilAnswered } from './incident-arrivals.ts'

type Member = { email: string; password: string }
type Waiting = { id: string; vuln_key: string | null; opened_at: Date }

const reasoning = 'We looked at it together and agreed on this.'
const hour = 3_600_000

/** True for incidents opened early, whose first report is soon due; the others end with their determination. */
export function isDueSoon(vulnKey: string | null): boolean {
  return Number(vulnKey?.split('-').at(-1)) % 2 === 0
}

/** Two members who work through the incidents without a determination: one records, the other approves. */
export class IncidentMembers {
  readonly failures: string[] = []
  readonly #db: Db
  readonly #recorder: AppSession
  readonly #approver: AppSession

  private constructor(db: Db, sessions: [AppSession, AppSession]) {
    this.#db = db
    ;[this.#recorder, this.#approver] = sessions
  }

  static async signIn(
    db: Db,
    { baseUrl, members }: { baseUrl: string; members: [Member, Member] },
  ): Promise<IncidentMembers> {
    const [recorder, approver] = members
    const sessions: [AppSession, AppSession] = [
      await AppSession.signIn(baseUrl, recorder),
      await AppSession.signIn(baseUrl, approver),
    ]
    return new IncidentMembers(db, sessions)
  }

  /** Handles all that are pending now. Returns their number. */
  async workThrough(): Promise<number> {
    const waiting = await this.#db
      .selectFrom('incident as i')
      .select(['i.id', 'i.vuln_key', 'i.opened_at'])
      .where((where) =>
        where.not(
          where.exists(
            where.selectFrom('determination as d').select('d.id').whereRef('d.incident_id', '=', 'i.id'),
          ),
        ),
      )
      .orderBy('i.id')
      .execute()
    for (const incident of waiting) await this.#workOn(incident)
    return waiting.length
  }

  async #workOn({ id, vuln_key, opened_at }: Waiting): Promise<void> {
    const isSoon = isDueSoon(vuln_key)
    const params = { incident: id }
    if (isSoon) {
      const awareAt = new Date(opened_at.getTime() - 21 * hour).toISOString()
      const body = { awareAt, reason: reasoning }
      await this.#act('awareness', () => this.#recorder.ask(changeAwareness, { params, body }))
    }
    const body = { value: isSoon ? 'actively_exploited' : 'not_exploited', reasoning }
    await this.#act('determinations', () => this.#recorder.ask(recordDetermination, { params, body }))
    const determinations = await this.#db
      .selectFrom('determination')
      .select('id')
      .where('incident_id', '=', id)
      .execute()
    for (const { id: determination } of determinations)
      await this.#act('decision', () =>
        this.#approver.ask(decideDetermination, {
          params: { ...params, determination },
          body: { approve: true },
        }),
      )
  }

  /** An act that succeeded before its answer was lost is refused the second time. */
  async #act(name: string, act: () => Promise<Answer>): Promise<void> {
    const { status, body: said, wasLost } = await untilAnswered(act)
    if (status < 300 || (wasLost && (status === 409 || status === 400))) return
    this.failures.push(`${name} was answered ${status}: ${JSON.stringify(said)}`)
  }
}
