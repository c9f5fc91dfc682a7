// Runs the platform as a separate process: start, kill, and requests over HTTP.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './app.ts'

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Service = {
  url: string
  process: ChildProcess
  /** The output so far. */
  output(): string
  ended: Promise<Ending>
  kill(signal: NodeJS.Signals): Promise<Ending>
}

/** The process exited before it started listening. */
export class NotStarted extends Error {
  readonly ending: Ending
  readonly output: string
  constructor(ending: Ending, output: string) {
    super(`the service ended (code ${ending.code}, signal ${ending.signal}) before it listened: ${output}`)
    this.ending = ending
    this.output = output
  }
}

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-service-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** The compile cache is shared between processes: compiling is most of the startup time. */
export const compiled: Record<string, string> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {}

/** Starts the process without waiting for it. It inherits no settings, and its folder has no .env file. */
export function spawnService(dataDir: string, env: Record<string, string>, entry = main) {
  const child = spawn(process.execPath, [entry], {
    cwd: dataDir,
    env: {
      LOG_LEVEL: 'error',
      PORT: '0',
      SIP_PORT: '0',
      SIP_NETWORKS: '127.0.0.0/8',
      DATA_DIR: dataDir,
      EMBEDDED_VOICE: 'off',
      ...compiled,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  atEnd(() => void child.kill('SIGKILL'))
  let printed = ''
  const output = () => printed
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
    })
  })
  const listening = new Promise<string>((resolve, reject) => {
    const hear = (text: Buffer) => {
      printed += text.toString()
      const url = /^Ramal listens on (\S+)/m.exec(printed)?.[1]
      if (url) resolve(url)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void ended.then((ending) => reject(new NotStarted(ending, printed)))
  })
  listening.catch(() => {}) // a test that kills it during startup does not need its address
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { process: child, output, ended, listening, kill }
}

export async function startService(dataDir: string, env: Record<string, string>, entry?: string): Promise<Service> {
  const { listening, ...service } = spawnService(dataDir, env, entry)
  return { ...service, url: await listening }
}

export type HttpAnswer = { status: number; headers: Headers; text: string }

/** Sends one request to a running platform. */
export async function ask(
  url: string,
  key: string | undefined,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
