import { readdirSync } from 'node:fs'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { startRealService, type RealService } from '../test/support/real-service.ts'
import { statOf } from './cpu.ts'
import { upload } from './laboratory.ts'
import { median, report, say } from './report.ts'

const runs = Number(process.env['BENCH_STARTS'] ?? 10)
const components = 2_000

/** From the start of the process, but for the last two: processor time of the process itself, and of its children, until it was ready. */
type Phases = {
  readProgram: number
  parserReads: number
  listens: number
  ready: number
  ownCpu: number
  childrenCpu: number
}

/** Starts after SIGKILL in the middle of a matching: of the service alone, whose database server goes on, and of both. */
export async function benchStarts(): Promise<void> {
  const real = await startRealService({ families: 1, env: { LOG_LEVEL: 'info' } })
  try {
    say(`${runs} starts of the service`)
    reportPhases('start_after_kill', await starts(real, 0, async () => {}))
    say(`${runs} starts of the service and its server`)
    reportPhases('start_after_kill_of_server_too', await starts(real, runs, real.killStore))
  } finally {
    await real.close()
  }
}

async function starts(real: RealService, serial: number, kill: () => Promise<void>): Promise<Phases[]> {
  const phases: Phases[] = []
  for (let run = 0; run < runs; run += 1) {
    const body = sampleSbom({ components, serial: serial + run, offset: (serial + run) * components })
    const { status } = await upload(real.service, real.tokens[0] ?? '', body)
    if (status !== 202) throw new Error(`answered ${status}`)
    await kill()
    await real.service.kill()
    phases.push(await start(real))
  }
  return phases
}

async function start({ service }: RealService): Promise<Phases> {
  const before = service.output().length
  const startedAt = Date.now()
  await service.restart()
  const ready = Date.now() - startedAt
  const { ownCpu, childrenCpu } = cpuOf(service.pid())
  const lines = service
    .output()
    .slice(before)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { time: number | string; msg: string })
  const sinceStart = (beginning: string) => {
    const time = lines.find(({ msg }) => msg.startsWith(beginning))?.time ?? Number.NaN
    return new Date(time).getTime() - startedAt
  }
  return {
    readProgram: sinceStart('starting'),
    parserReads: sinceStart('parser started'),
    listens: sinceStart('ready at'),
    ready,
    ownCpu,
    childrenCpu,
  }
}

function cpuOf(pid: number): { ownCpu: number; childrenCpu: number } {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid)
  return {
    ownCpu: statOf(pid)?.own ?? Number.NaN,
    childrenCpu: children.reduce((sum, stat) => sum + (stat?.own ?? 0), 0),
  }
}

function reportPhases(figure: string, phases: readonly Phases[]): void {
  const of = (phase: keyof Phases) => median(phases.map((one) => one[phase]))
  report({
    figure,
    value: of('ready'),
    unit: 'ms',
    runs,
    detail: {
      readProgramMs: of('readProgram'),
      parserReadsMs: of('parserReads'),
      listensMs: of('listens'),
      maxMs: Math.max(...phases.map(({ ready }) => ready)),
      ownCpuMs: of('ownCpu'),
      childrenCpuMs: of('childrenCpu'),
    },
  })
}
