// A platform with an administrator, a malicious member, and a prober that measures the latency for others.
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

export type Platform = {
  url: string
  sipPort: number
  /** The member's. */
  key: string
  /** A request with the member's key. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>
  /** The longest /healthz latency since the last call. */
  longestWait(): Promise<{ longestMs: number; asked: number; failed: number }>
  memoryMb(): number
  stop(): Promise<void>
}

const run = promisify(execFile)
const START_MS = 60_000

/** `root`: a checkout of the platform, which may be another version. */
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
  }
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=4', '--heap-growing-percent=200', join(root, 'src/main.ts')],
    {
      cwd: dataDir,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  own(child)
  const url = await listening(child)
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
    memoryMb: () => residentMb(child.pid ?? 0),
    async stop() {
      await prober.terminate()
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
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
