import type { FastifyReply } from 'fastify'
import type { Db } from '../database/connection.ts'
import type { Originals } from '../originals/originals.ts'
import type { StoreState } from '../platform/readiness.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import type { OperatorSession } from '../workspace/operator/operator-session.ts'
import type { OperatorSettings } from './operator-settings.ts'

/** What the pages read beside the database. */
type Service = {
  db: Db
  sealing: Sealing
  originals: Originals
  serviceName: string
  /** A mail server is configured; else messages are kept and not sent. */
  sendsMail: boolean
  /** The sources of vulnerability data that the configuration turns off. */
  switchedOff: readonly string[]
  /** What the database can do. */
  storeState: () => Promise<StoreState>
  /** What works worse than it should, in words. */
  degraded: () => Promise<string[]>
}

/** A request of a signed-in operator. */
export type Operating = {
  deps: Service
  settings: OperatorSettings
  /** What the audit trail says of where an act came from. */
  requestId: string
  /** The workspace that the address names; empty where it names none. */
  slug: string
  /** A value of the address's query; empty where it is absent, repeated or no text. */
  query: (name: string) => string
  reply: FastifyReply
  session: OperatorSession
  /** Goes into every form of a page. */
  formToken: string
  now: Date
}

/** The fields of a form that a page of this session sent. */
export type OperatorForm = ReadonlyMap<string, string>
