import type { Parser } from '../parser/client.ts'
import type { Deps } from '../platform/deps.ts'
import type { ChatHosts } from '../alerts/destinations/judge-url.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { Originals } from '../originals/originals.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import type { KnownGraphs } from '../sbom/dependencies/known-graphs.ts'
import type { Shares } from '../platform/concurrency/shares.ts'
import type { Reads } from '../platform/postgres/replica/reads.ts'
import type { StoreState } from '../platform/readiness.ts'
import type { Stripe } from '../workspace/billing/stripe.ts'
import type { SignUpRules } from '../people/sign-up.ts'
import type { PasswordSemaphore } from '../people/password-semaphore.ts'
import type { ArrivingBodies } from './bodies/arriving-bodies.ts'
import type { Metrics } from './metrics.ts'
import type { OperatorSettings } from '../operator/operator-settings.ts'

/** What operations work with. */
export type HttpDeps = Deps & {
  parser: Parser
  /** For reads that can wait. */
  reads: Reads
  passwords: PasswordSemaphore
  bodies: ArrivingBodies
  /** Lists and workspaces that are being sent as files. */
  exports: Shares
  /** Requests of members. */
  requests: Shares
  /** What is worked on at the same moment for strangers. */
  publicPages: Shares
  /** Searches over all products of a workspace. */
  searches: Shares
  /** The dependencies of SBOMs that people look at. */
  graphs: KnownGraphs
  metrics: Metrics
  /** Address of the public interface, without trailing slash. */
  baseUrl: string
  serviceName: string
  storeState: () => Promise<StoreState>
  sealing: Sealing
  originals: Originals
  /** What is degraded, in words for operators. */
  degraded: () => Promise<string[]>
  chatHosts: ChatHosts
  outbound: Outbound
  /** A mail server is configured; else messages are kept and not sent. */
  sendsMail: boolean
  /** The payment provider; null: the operator sets plans. */
  stripe: Stripe | null
  signUp: SignUpRules
  /** The pages for operators; null: there are none. */
  operator: OperatorSettings | null
  /** The sources of vulnerability data that the configuration turns off. */
  switchedOff: readonly string[]
  /** Null: no metrics on this port. */
  metricsToken: string | null
  /** Fires when the server begins to stop: long polls then end. */
  stopping: AbortSignal
}
