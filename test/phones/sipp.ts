// Runs sipp scenarios in tests; failures report what went wrong.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeUlaw } from '../../src/audio/g711.ts'
import { until } from '../until.ts'
import { freeRtpPort, freeSipPort, isListening } from './ports.ts'
import { newFolder, startProgram } from './program.ts'
import { tone } from './spectrum.ts'

export type SippOptions = {
  /** XML. It may refer to `tone.ulaw`, a file in the same folder (see `hz`). */
  scenario: string
  /** The address to call ("127.0.0.1:5060"); without it sipp waits for calls. */
  to?: string
  /** User part of the Request-URI, [service] in the scenario. */
  service?: string
  calls?: number
  /** Calls per second, and concurrent calls. */
  rate?: number
  atOnce?: number
  transport?: 'udp' | 'tcp'
  /** The tone in `tone.ulaw`, for rtp_stream. */
  hz?: number
  /** Values for [name] in the scenario. */
  keys?: Readonly<Record<string, string>>
  args?: readonly string[]
  /** Additional files in sipp's folder. */
  files?: Readonly<Record<string, Uint8Array>>
  port?: number
  /** sipp's own address, 127.0.0.1 by default. */
  address?: string
  /** The run is killed and fails after this time. */
  withinMs?: number
}

export type SippResult = {
  /** 0 if every call followed the scenario. */
  code: number | null
  /**
   * The last line of sipp's statistics by column: "SuccessfulCall(C)", "FailedCall(C)", "Retransmissions(C)",
   * "ResponseTime1(C)" …
   */
  statistics: ReadonlyMap<string, string>
  /** sipp's error log: unexpected messages, lost calls. */
  errors: string
  /** All messages, if there are few enough calls. */
  messages: string
}

export type Sipp = Awaited<ReturnType<typeof startSipp>>

/** Runs to the end; throws unless every call succeeded. */
export async function runSipp(options: SippOptions): Promise<SippResult> {
  const sipp = await startSipp(options)
  try {
    return await sipp.succeeded()
  } finally {
    await sipp.stop()
  }
}

/** With more calls the message log would be megabytes. */
const FEW_CALLS = 20

export async function startSipp(options: SippOptions) {
  const { calls = 1, rate = 10, transport = 'udp', hz = 1000, withinMs = 120_000, address = '127.0.0.1' } = options
  const folder = newFolder('sipp')
  const port = options.port ?? (await freeSipPort())
  const mediaPort = await freeRtpPort()
  writeFileSync(join(folder, 'scenario.xml'), options.scenario.trimStart())
  // A whole number of periods in one second, so that it loops without a click.
  writeFileSync(join(folder, 'tone.ulaw'), encodeUlaw(tone(Math.round(hz), 1).pcm))
  for (const [name, bytes] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), bytes)
  const args = [
    // A callee continues after a second ACK, which follows a retransmitted 200 if the first ACK was late.
    ...(options.to ? [options.to] : ['-default_behaviors', 'all,-abortunexp']),
    ...['-sf', 'scenario.xml', '-nostdin', '-i', address, '-p', String(port)],
    ...['-mi', address, '-mp', String(mediaPort), '-t', transport === 'tcp' ? 't1' : 'u1'],
    ...['-m', String(calls), '-r', String(rate), '-l', String(options.atOnce ?? 1000)],
    ...['-s', options.service ?? 'service', '-trace_err', '-error_file', 'errors.log'],
    ...['-trace_stat', '-stf', 'statistics.csv', '-fd', '1'],
    ...(calls <= FEW_CALLS ? ['-trace_msg', '-message_file', 'messages.log'] : []),
    ...Object.entries({ caller: 'sipp', ...options.keys }).flatMap(([name, value]) => ['-key', name, value]),
    ...(options.args ?? []),
  ]
  const program = startProgram('sipp', args, { folder })
  const timer = setTimeout(() => program.process.kill('SIGKILL'), withinMs)
  void program.exited.then(() => clearTimeout(timer))
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'latin1') : '')
  const result = (code: number | null): SippResult => ({
    code,
    statistics: statisticsOf(read('statistics.csv')),
    errors: read('errors.log'),
    messages: read('messages.log'),
  })
  if (!options.to)
    await until('sipp listens', () => {
      if (!program.isRunning()) throw new Error(`sipp has ended:\n${program.lastWords()}`)
      return isListening(port, transport)
    })
  return {
    program,
    folder,
    port,
    mediaPort,
    uri: `sip:${options.service ?? 'service'}@${address}:${port}`,
    /** The results so far, while sipp runs. */
    soFar: () => result(null),
    finished: async (): Promise<SippResult> => result(await program.exited),
    async succeeded(): Promise<SippResult> {
      const made = result(await program.exited)
      if (made.code === 0) return made
      const why = made.code === null ? `was killed after ${withinMs} ms` : `ended with ${made.code}`
      const parts = [program.lastWords(10), made.errors.slice(-3000), made.messages.slice(-6000)]
      throw new Error(`sipp ${why}; ${summaryOf(made.statistics)}\n${parts.join('\n')}`)
    },
    stop: () => program.stop(() => program.process.kill('SIGKILL')),
  }
}

function statisticsOf(csv: string): Map<string, string> {
  const [names = '', ...rows] = csv.trim().split('\n')
  const values = rows.at(-1)?.split(';') ?? []
  return new Map(names.split(';').map((name, i) => [name, values[i] ?? '']))
}

const summaryOf = (statistics: ReadonlyMap<string, string>): string =>
  [
    'SuccessfulCall(C)',
    'FailedCall(C)',
    'Retransmissions(C)',
    'UnexpectedMessage(C)',
    'FailedUnexpectedMessage(C)',
    'FailedMaxUDPRetrans(C)',
  ]
    .flatMap((name) => (statistics.has(name) ? [`${name} ${statistics.get(name)}`] : []))
    .join(', ')
