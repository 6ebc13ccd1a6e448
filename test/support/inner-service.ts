import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import pino from 'pino'
import { Lifetime } from '../../src/cli/lifetime.ts'
import { observeProcess } from '../../src/cli/observe.ts'
import { openProcess, type Process } from '../../src/cli/open-process.ts'
import { startServe } from '../../src/cli/start-serve.ts'
import { startWork } from '../../src/cli/start-work.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'
import { untilWebIsBuilt } from './built-web.ts'
import { runOn } from './command.ts'
import { letGoOf } from './let-go.ts'
import { feedsOff } from './feeds.ts'
import { startInnerParser } from './inner-parser.ts'
import { freePort } from './free-port.ts'
import type { Service } from './service.ts'
import { withPooler } from './told-of-pooler.ts'

/** The service inside the test process. Tests about processes need `startService`. */
export type InnerService = Pick<Service, 'baseUrl' | 'cli' | 'stop'>

/**
 * Assembles the service as its program does: HTTP, jobs and schedules. This process has already loaded and compiled the program; a new
 * process takes three seconds of processor time until it is ready.
 */
export async function startInnerService(env: Record<string, string>): Promise<InnerService> {
  await untilWebIsBuilt()
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const environment = withPooler({
    ...process.env,
    ...feedsOff,
    PORT: String(port),
    BASE_URL: baseUrl,
    ...env,
  })
  const { NODE_EXTRA_CA_CERTS: authorityFile } = env
  if (authorityFile !== undefined) trust(authorityFile)
  const lifetime = new Lifetime()
  try {
    const opened = await startAll(lifetime, environment)
    const service: InnerService = {
      baseUrl,
      cli: <T>(words: string[], input?: unknown) => runOn<T>(opened, words, input),
      stop: async () => {
        await lifetime.close()
        letGoOf(service)
      },
    }
    return service
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

async function startAll(
  lifetime: Lifetime,
  environment: Record<string, string | undefined>,
): Promise<Process> {
  const { config, secrets } = readConfig(environment, { servesHttp: true, sources: configuredSources })
  const log = pino({ level: 'silent' })
  const opened = await lifetime.open(
    () => openProcess({ config, secrets, role: 'all', log }),
    ({ close }) => close(),
  )
  const parser = startInnerParser(opened)
  await lifetime.open(
    () => Promise.resolve(parser),
    () => parser.close(0),
  )
  const observation = await observeProcess(opened, 'all')
  await lifetime.open(() => startWork(opened, observation), stopPart)
  const { stopping } = lifetime
  await lifetime.open(() => startServe(opened, { ...observation, parser, stopping }), stopPart)
  return opened
}

const stopPart = ({ stop }: { stop: () => Promise<void> }): Promise<void> => stop()

/** As Node does when it starts. */
function trust(authorityFile: string): void {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authorityFile, 'utf8')])
}
