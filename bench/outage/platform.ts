// The whole platform in its own process, with an agent whose provider chains use this benchmark's vendors.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chainKinds, type Vendors } from '../../test/outage/vendors.ts'
import { freeSipPort } from '../../test/phones/ports.ts'
import { freePort } from '../../test/servers.ts'
import { until } from '../../test/until.ts'

const KEY = 'bench-key-of-at-least-32-characters'
export const NUMBER = '+551130000001'
const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')

export type Platform = Awaited<ReturnType<typeof startPlatform>>

/** Refuses to start without the models of the embedded engines. */
export async function startPlatform({ voice, vendors }: { voice: 'small' | 'natural'; vendors: readonly Vendors[] }) {
  for (const name of ['whisper', ...(voice === 'natural' ? ['kokoro'] : [])])
    if (!existsSync(join(models, name)))
      throw new Error(`${name} is not prepared: run node test/prepare-speech.ts first`)
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
  symlinkSync(models, join(dataDir, 'models'))
  const [port, sipPort, trunkPort] = [await freePort(), await freeSipPort(), await freeSipPort()]
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    SIP_PORT: String(sipPort),
    SIP_NETWORKS: '127.0.0.0/8',
    EMBEDDED_VOICE: voice,
    SPEECH_CACHE_MB: '0',
    LOG_LEVEL: 'info',
    BOOTSTRAP_API_KEY: KEY,
    MAX_CALLS: '2000',
    MAX_CALLS_PER_USER: '2000',
    MEMBER_CALLS_PER_DAY: 'unlimited',
  }
  const child = spawn(process.execPath, ['--max-semi-space-size=4', '--heap-growing-percent=200', 'src/main.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-200_000)
  })
  const stop = () => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const request = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const post = async (path: string, body: object) =>
    (await (await request('POST', path, body)).json()) as { id: string }
  await until('the platform answers', () => request('GET', '/api/agents').catch(() => null), 60_000)
  if (voice === 'natural')
    await until('the natural voice is ready', () => output.includes('natural voice ready'), 60_000)
  const settings = await chainsOf(vendors, post)
  const agent = await post('/api/agents', {
    name: 'Ana',
    systemPrompt: 'x',
    language: 'pt-BR',
    ttsProvider: 'provider_a',
    voiceId: vendors[0]?.voiceId,
    settings: {
      firstMessage: 'caller_first',
      recording: { enabled: false },
      turn: { idleReminderMs: 0, minPauseMs: 300, maxPauseMs: 600 },
      ...settings,
    },
  })
  const trunk = await post('/api/trunks', { name: 'bench', host: '127.0.0.1', port: trunkPort, optionsPing: false })
  await post(`/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'inbound', phoneNumber: NUMBER })
  await sleep(1500) // until the phone service has loaded the new number
  return {
    pid: child.pid ?? 0,
    sipPort,
    trunkPort,
    stop,
    /** Number of ended calls so far, by reason. */
    async ends(): Promise<Record<string, number>> {
      const calls = (await (await request('GET', '/api/calls?limit=500')).json()) as { endReason: string | null }[]
      return Object.fromEntries(
        Object.entries(Object.groupBy(calls, ({ endReason }) => endReason ?? 'live')).map(([reason, all]) => [
          reason,
          all?.length ?? 0,
        ]),
      )
    },
    output: () => output,
  }
}

/** Creates an account of each kind at each vendor; the chain has the vendors' order. */
async function chainsOf(vendors: readonly Vendors[], post: (path: string, body: object) => Promise<{ id: string }>) {
  const links: Record<string, { providerId: string; voiceId: string }[]> = { llm: [], stt: [], tts: [] }
  for (const each of vendors)
    for (const kind of chainKinds)
      links[kind]?.push({ providerId: (await post('/api/providers', each.of[kind].account)).id, voiceId: each.voiceId })
  const chain = (kind: string, hasVoice = false) => {
    const [first, ...rest] = links[kind] ?? []
    const fallbacks = rest.map(({ providerId, voiceId }) => ({ providerId, ...(hasVoice ? { voiceId } : {}) }))
    return first ? { providerId: first.providerId, fallbacks } : {}
  }
  return { llm: chain('llm'), recognition: chain('stt'), voice: chain('tts', true) }
}
