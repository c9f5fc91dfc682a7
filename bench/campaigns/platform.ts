// The whole platform in its own process, with an agent, a trunk to this benchmark's callees, and a rule pack that
// permits calls at any time.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyTime } from '../../test/any-time-rules.ts'
import { freeSipPort } from '../../test/phones/ports.ts'
import { freePort } from '../../test/servers.ts'
import { until } from '../../test/until.ts'
import type { Behavior, Message, Report, Request } from './endpoints.ts'

const KEY = 'bench-key-of-at-least-32-characters'
export const NUMBER = '+551130000001'

// biome-ignore lint/suspicious/noExplicitAny: any JSON response of the API
type Json = any

export type Platform = Awaited<ReturnType<typeof startPlatform>>
export type Callees = Awaited<ReturnType<typeof startCallees>>

export async function startCallees() {
  const child: ChildProcess = fork(join(import.meta.dirname, 'endpoints.ts'), [String(await freeSipPort())])
  process.once('exit', () => child.kill('SIGKILL'))
  const ask = async (request: Request): Promise<Message> => {
    child.send(request)
    return ((await once(child, 'message')) as [Message])[0]
  }
  const [first] = (await once(child, 'message')) as [Message]
  return {
    port: 'port' in first ? first.port : 0,
    behave: (behavior: Behavior) => ask({ behavior }),
    async report(): Promise<Report> {
      const message = await ask({ report: true })
      if (!('report' in message)) throw new Error('the callees did not report')
      return message.report
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

export async function startPlatform(callees: Pick<Callees, 'port'>, databaseUrl: string | null = null) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
  const [port, sipPort, inboundPort] = [await freePort(), await freeSipPort(), await freeSipPort()]
  const child = spawn(process.execPath, ['--max-semi-space-size=4', '--heap-growing-percent=200', 'src/main.ts'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      SIP_PORT: String(sipPort),
      SIP_NETWORKS: '127.0.0.0/8',
      EMBEDDED_VOICE: 'small',
      LOG_LEVEL: 'error',
      BOOTSTRAP_API_KEY: KEY,
      MAX_CALLS: '400',
      MAX_CALLS_PER_USER: '400',
      CALLS_PER_SECOND: '200',
      MEMBER_CALLS_PER_DAY: 'unlimited',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = () => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const url = `http://127.0.0.1:${port}`
  async function request(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Json> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  let key = KEY
  await until('the platform answers', () => request('GET', '/api/agents').catch(() => null), 60_000)
  key = (await request('POST', '/api/api-keys', { name: 'bench', rateLimit: 100_000 })).key
  const agent = await request('POST', '/api/agents', {
    name: 'Ana',
    systemPrompt: 'x',
    initialSpeech: 'Olá!',
    language: 'pt-BR',
    settings: { recording: { enabled: false } },
  })
  const trunkTo = (host: { name: string; port: number }) =>
    request('POST', '/api/trunks', { host: '127.0.0.1', optionsPing: false, ...host })
  const out = await trunkTo({ name: 'callees', port: callees.port })
  const into = await trunkTo({ name: 'callers', port: inboundPort })
  await request('POST', `/api/agents/${agent.id}/link-trunk`, { trunkId: out.id, trunkType: 'outbound' })
  const inbound = { trunkId: into.id, trunkType: 'inbound', phoneNumber: NUMBER }
  await request('POST', `/api/agents/${agent.id}/link-trunk`, inbound)
  const { id: rulesId } = await request('POST', '/api/calling-rules', { name: 'any time', pack: anyTime })
  await sleep(1500) // until the phone service has loaded the new number
  let made = 0

  return {
    pid: child.pid ?? 0,
    url,
    key,
    sipPort,
    inboundPort,
    stop,
    request,
    /** Imports a campaign with this many contacts and does not start it. */
    async campaign(contacts: number, pacing: { maxConcurrentCalls: number; callsPerSecond: number }): Promise<string> {
      const retries = { maxAttempts: 1, rules: [], otherTimeOfDay: false }
      const body = { name: 'bench', agentId: agent.id, trunkId: out.id, rulesId, pacing, retries }
      const { id } = await request('POST', '/api/campaigns', body)
      const rows = Array.from({ length: contacts }, (_, i) => `+55119${String(80_000_000 + made + i)},Maria ${i}`)
      made += contacts
      const list = `telefone,nome\n${rows.join('\n')}\n`
      const { id: importId } = await request('POST', `/api/campaigns/${id}/contacts`, list, 'text/csv')
      const done = await until(
        'the list is imported',
        async () => {
          const current = await request('GET', `/api/campaigns/${id}/imports/${importId}`)
          return current.status === 'running' ? undefined : current
        },
        120_000,
      )
      if (done.accepted !== contacts)
        throw new Error(`imported ${done.accepted} of ${contacts}: ${JSON.stringify(done)}`)
      return id
    },
  }
}
