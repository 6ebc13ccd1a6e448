import { isDay } from '../../../contract/calendar.ts'
import { inflatedChunks } from '../../../source-files/inflated-chunks.ts'
import { describeContent, RefusedData } from '../../../source-files/refused-data.ts'
import { headerForm } from './header.ts'

/** How likely a CVE is exploited within 30 days, and the share of CVEs that are no likelier; both 0 to 1. */
export type EpssScore = { cveId: string; score: number; percentile: number }

/** What the first line says of the file. */
export type EpssHeader = {
  modelVersion: string
  /** Day of the scores, `2026-07-12`. */
  scoredOn: string
}

/** About fifty times the real file. */
const maxFileBytes = 512 * 1024 ** 2
const maxRows = 5_000_000
const maxLineBytes = 200

const columns = 'cve,epss,percentile'
const rowForm = /^(CVE-\d{4}-\d{4,19}),([\d.eE-]{1,30}),([\d.eE-]{1,30})$/

/**
 * Reads the file of EPSS scores (https://www.first.org/epss/data_stats), plain or gzip: a line with model and day, the names of the
 * columns, one line a CVE. `onHeader` is told before the first score. Refuses (`RefusedData`), at the latest after the last
 * score, another format, a score out of bounds, and a file that is cut off inside a line or, as gzip, anywhere.
 */
export async function* readScores(
  path: string,
  onHeader: (header: EpssHeader) => void,
): AsyncGenerator<EpssScore> {
  let number = 0
  for await (const line of fileLines(path)) {
    number += 1
    if (number === 1) onHeader(readHeader(line))
    else if (number === 2) checkColumns(line)
    else yield readRow(line, number)
    if (number > maxRows) throw new RefusedData(`expected EPSS scores, found more than ${maxRows} lines`)
  }
  if (number < 2) throw new RefusedData(`expected EPSS scores, found a file of ${number} lines`)
}

/** Lines without their ends. The last one has to end like all others: otherwise the file is cut off. */
async function* fileLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of inflatedChunks(path, maxFileBytes)) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (rest.length > maxLineBytes) throw unexpected('a line', rest)
  }
  if (rest !== '')
    throw new RefusedData('expected a whole file of EPSS scores, found one cut off inside a line')
}

function readHeader(line: string): EpssHeader {
  const [, modelVersion, scoredOn] = headerForm.exec(line.slice(0, maxLineBytes)) ?? []
  if (modelVersion === undefined || scoredOn === undefined || !isDay(scoredOn.slice(0, 10))) {
    throw unexpected('model and day of EPSS scores', line)
  }
  return { modelVersion, scoredOn }
}

function checkColumns(line: string): void {
  if (line !== columns) throw unexpected(`the line ${columns}`, line)
}

function readRow(line: string, number: number): EpssScore {
  const [, cveId, score, percentile] = rowForm.exec(line.slice(0, maxLineBytes)) ?? []
  const row = { cveId: cveId ?? '', score: Number(score), percentile: Number(percentile) }
  if (cveId === undefined || !isShare(row.score) || !isShare(row.percentile)) {
    throw unexpected(`line ${number}: a CVE id and two numbers from 0 to 1`, line)
  }
  return row
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1
}

function unexpected(what: string, line: string): RefusedData {
  return new RefusedData(
    `expected ${what}, found ${describeContent(Buffer.from(line.slice(0, maxLineBytes)))}`,
  )
}
