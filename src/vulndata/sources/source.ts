import type { Logger } from 'pino'
import type { SourceBrings } from '../../contract/sources/shapes.ts'
import type { Db } from '../../database/connection.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { OnProgress } from '../../source-files/progress.ts'
import type { Waiting } from '../ledger/import-lock.ts'
import type { Ended } from '../ledger/outcomes.ts'
import type { CompiledRecord } from '../../records/compiled-record.ts'
import type {
  ImportReport,
  RecordFile,
  RecordImport,
  RecordReading,
  RecordsTaken,
} from '../reading/record-import.ts'

/**
 * A source of vulnerability data: all that the rest of the program knows of it. Code that is slow to load is loaded on demand, because
 * the configuration and the command line read every source.
 */
export type Source = {
  /** Its row in `data_source`, and its name in metrics and jobs. */
  id: string
  /** Words for people. */
  label: string
  /** What else than one file an operator may import, in words for the command line. */
  forms?: string
  brings: SourceBrings
  /** Absent: it is imported by an operator, and never asked. */
  feed?: Feed
  /**
   * Ecosystems whose affected components its records name: where the source is loaded whole, such a component is covered, whatever
   * other sources know.
   */
  decides?: readonly string[]
  /** It is loaded in parts, each with a row of its own: `osv:npm`. */
  hasParts?: true
  /** Name prefixes of auxiliary rows, which are not shown. */
  sideRows?: readonly string[]
  file?: FileKind
  records?: RecordKind
  layout?: Layout
  /** Asks its publisher for what is new, and notes on the source's row how that ended. Refuses (`RefusedData`) what it does not take over. */
  refresh?: (turn: RefreshTurn) => Promise<Ended>
  /** Whether something is in use that it was never asked about: it is then refreshed at once, before its next scheduled time. */
  isAwaited?: (db: Db) => Promise<boolean>
  /** Makes the next refresh read everything although its files are unchanged. */
  readAgain?: (db: Db) => Promise<void>
  /** Of what reads its files: raised whenever that gives other results. Everything is then read again, once. */
  readerGeneration?: number
}

/** Where a source is asked by itself. */
export type Feed = {
  /** Of the environment: another address, or `off`. */
  variable: string
  address: string
  /** Asked when the publisher's own address does not answer with data. */
  fallback?: string
  /** It does not publish more often. */
  everyMs?: number
}

/** The beginning of a file, inflated where it is gzip. */
export type FileHead = { text: string; line: string; isCompressed: boolean }

/** A file that is the source's as a whole. */
export type FileKind = {
  /** Recognised by its beginning, however large the file is. */
  begins?: (head: FileHead) => boolean
  /** Recognised by its content, parsed. */
  holds?: (value: unknown) => boolean
  import: (work: FileWork) => Promise<ImportReport[]>
}

/** Records that come in zip files, folders, lines, or one alone, also mixed with those of other sources. */
export type RecordKind = {
  /** `name`: its path, since records of one format come in several layouts; a stored one has its id. */
  is: (value: unknown, name: string) => boolean
  /** undefined: a record that says nothing for the product. Refuses with `RefusedData`. */
  compile: (value: unknown, text: string, name: string) => CompiledRecord | undefined
  /** Documents that lie beside the records but are not records. */
  isBeside?: (value: unknown) => boolean
  /** What the ids of its records begin with, where they are the source's own. */
  prefixes?: readonly string[]
  /** A record without ranges and severity is left out. */
  leavesOutEmpty?: true
  /** Sources before whose records on the same CVE its own have no ranges. */
  yieldsTo?: readonly string[]
  /** It scores CVEs: its name for people, and, where its records say that somebody else did, who. */
  scorer?: { name: string; nameIn?: (document: unknown, recordId: string) => string }
}

/** More than one file, laid out as the publisher does. undefined: it is not laid out so. */
export type Layout = {
  folder: (work: Work, path: string) => Promise<ImportReport[] | undefined>
  address: (work: Work, web: Web) => Promise<ImportReport[] | undefined>
}

export type Web = { outbound: Outbound; folder: string; url: string }

/** What the imports of all sources share, and what needs to know every source. */
export type Tools = {
  importRecords: (db: Db, order: RecordImport) => Promise<RecordsTaken>
  openRecords: (order: RecordFile) => Promise<RecordReading>
  /** The id of the source whose file it is, else the kind of documents. Refuses with `RefusedData`. */
  recognise: (path: string) => Promise<string>
  /** CVEs in use whose severity nobody states but those who only score CVEs. */
  selectUnscoredCves: (db: Db) => Promise<string[]>
}

export type Work = {
  db: Db
  tools: Tools
  /** The address kept with the source. */
  from: string
  /** The operator says that these are all records of their sources. */
  isComplete: boolean
  now: Date
  onProgress: OnProgress
  waiting: Waiting
}

export type FileWork = Work & { path: string }

export type RefreshTurn = {
  db: Db
  log: Pick<Logger, 'info' | 'warn'>
  tools: Tools
  outbound: Outbound
  address: string
  /** For what is downloaded; the caller removes it. */
  folder: string
  waiting: Waiting
  now: Date
}
