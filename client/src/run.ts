import { readFileSync } from 'node:fs'
import { parseArguments, type Command, type SendingCommand } from './arguments.ts'
import { exitCodes, Failure, type ExitCode } from './failure.ts'
import { help } from './help.ts'
import type { Ports } from './ports.ts'
import type { Ending } from './sender.ts'
import { printableJson, Terminal } from './terminal.ts'
import { pullDependencyTrack } from './tracker/pull.ts'
import { upload } from './upload.ts'
import { sendVex } from './vex.ts'

/** Runs one command and returns the exit code. Expected failures are printed, never thrown. */
export async function run(args: readonly string[], ports: Ports): Promise<ExitCode> {
  const command = readCommand(args, ports)
  if (command === null) return exitCodes.usage
  if (command.kind === 'help' || command.kind === 'version') {
    ports.out.write(command.kind === 'help' ? help : `${toolVersion()}\n`)
    return exitCodes.fine
  }
  const terminal = new Terminal(command.isJson ? ports.err : ports.out, ports.env)
  const ending = await perform(command, ports, terminal)
  terminal.endProgress()
  if (command.isJson) ports.out.write(`${printableJson({ command: command.kind, ...ending })}\n`)
  return ending.exitCode
}

function readCommand(args: readonly string[], ports: Ports): Command | null {
  try {
    return parseArguments(args)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    sayFailure(error, new Terminal(ports.err, ports.env))
    return null
  }
}

async function perform(command: SendingCommand, ports: Ports, terminal: Terminal): Promise<Ending> {
  const deadlineMs = ports.nowMs() + command.timeoutMs
  try {
    if (command.kind === 'vex') return await sendVex(command, { ports, terminal, deadlineMs })
    if (command.kind === 'pull-dependency-track') {
      return await pullDependencyTrack(command, { ports, terminal, deadlineMs })
    }
    return await upload(command, { ports, terminal, deadlineMs })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    terminal.endProgress()
    sayFailure(error, new Terminal(ports.err, ports.env))
    const refused = error.refusal ?? { status: null, code: null, detail: null }
    return {
      ...error.done,
      error: { ...refused, message: error.refusal?.message ?? error.message },
      exitCode: error.exitCode,
    }
  }
}

function sayFailure(failure: Failure, terminal: Terminal): void {
  for (const line of failure.message.split('\n')) terminal.say(`sbom-monitor: ${line}`, 'red')
}

function toolVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return (manifest as { version: string }).version
}
