// A platform with an administrator, a malicious member, a call in progress, and a probe that measures the latency for
// everyone else.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { freeSipPort } from '../../test/phones/ports.ts'
import { residentMb } from '../api/proc.ts'
import { own } from '../report/child.ts'
import type { CallReport } from './call-in-progress.ts'

export type Platform = {
  url: string
  sipPort: number
  /** The member's API key. */
  key: string
  /** Sends a request with the member's key. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>
  /** The longest /healthz latency since the last call. */
  longestWait(): Promise<{ longestMs: number; asked: number; failed: number }>
  /** The most CPU time that a single event-loop turn has taken since the last call. */
  longestTurnMs(): Promise<number>
  /** What the call in progress has received since the last report. */
  callInProgress(): Promise<CallReport>
  memoryMb(): number
  stop(): Promise<void>
}

const run = promisify(execFile)
const START_MS = 60_000
const ADMIN_KEY = 'hostile-bench-key-of-32-characters-and-more'
const NUMBER = '+551130000001'
/** The longest an agent may speak; its silence is sent as packets too. */
const HOUR_MS = 3_600_000

/** `root`: a checkout of the platform, possibly of another version. */
export async function startPlatform(root: string): Promise<Platform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-hostile-'))
  const sipPort = await freeSipPort()
  const env = {
    PATH: process.env.PATH ?? '',
    LOG_LEVEL: 'error',
    PORT: '0',
    SIP_PORT: String(sipPort),
    DATA_DIR: dataDir,
    EMBEDDED_VOICE: 'small',
    ALLOWED_NETWORKS: '127.0.0.0/8',
    SIP_NETWORKS: '127.0.0.0/8',
    CALLS_PER_SECOND: '10',
    BOOTSTRAP_API_KEY: ADMIN_KEY,
  }
  const child = spawn(
    process.execPath,
    [
      '--max-semi-space-size=4',
      '--heap-growing-percent=200',
      '--import',
      join(import.meta.dirname, 'turn-cpu.ts'),
      join(root, 'src/main.ts'),
    ],
    {
      cwd: dataDir,
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  own(child)
  const url = await listening(child)
  await receptionist(url)
  const call = new Worker(join(import.meta.dirname, 'call-in-progress.ts'), { workerData: { sipPort, number: NUMBER } })
  await once(call, 'message')
  const ramal = (...given: string[]) =>
    run(process.execPath, [join(root, 'src/cli/main.ts'), ...given], { cwd: dataDir, env })
  await ramal('users', 'add', 'mallory')
  const { stdout } = await ramal('keys', 'add', '--user', 'mallory', '--rate-limit', '100000')
  const key = /rml_\S+|\S{40,}/.exec(stdout)?.[0] ?? ''
  const prober = new Worker(join(import.meta.dirname, 'prober.ts'), { workerData: { url } })

  return {
    url,
    sipPort,
    key,
    async send(method, path, body, headers = {}) {
      const isText = typeof body === 'string' || body instanceof Uint8Array
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          'x-api-key': key,
          ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
      })
      return { status: answer.status, text: await answer.text() }
    },
    async longestWait() {
      prober.postMessage('tell')
      const [told] = await once(prober, 'message')
      return told
    },
    async longestTurnMs() {
      child.send('longest turn')
      const [told] = (await once(child, 'message')) as [{ longestTurnMs: number }]
      return told.longestTurnMs
    },
    async callInProgress() {
      call.postMessage('tell')
      const [told] = (await once(call, 'message')) as [CallReport]
      return told
    },
    memoryMb: () => residentMb(child.pid ?? 0),
    async stop() {
      await prober.terminate()
      await call.terminate()
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The administrator's agent, which stays on the line with a silent caller. */
async function receptionist(url: string): Promise<void> {
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const headers = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const agent = await post('/api/agents', {
    name: 'Ana',
    systemPrompt: 'Você é a recepcionista da clínica.',
    initialSpeech: 'Olá!',
    settings: { turn: { silenceHangupMs: HOUR_MS, maxDurationMs: HOUR_MS } },
  })
  const trunk = await post('/api/trunks', { name: 'carrier', host: '127.0.0.1', optionsPing: false })
  const link = { trunkId: trunk.id, trunkType: 'inbound', phoneNumber: NUMBER }
  await post(`/api/agents/${agent.id}/link-trunk`, link)
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (text: Buffer) => {
      printed += text
      const url = /^Ramal listens on (\S+)/m.exec(printed)?.[1]
      if (url) resolve(url)
    })
    setTimeout(
      () => reject(new Error(`the platform did not start in ${START_MS / 1000} s: ${printed}`)),
      START_MS,
    ).unref()
    child.once('exit', () => reject(new Error(`the platform did not start: ${printed}`)))
  })
}
