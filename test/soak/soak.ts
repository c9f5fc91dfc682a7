// Makes many short calls to the whole platform, a few dozen at a time, and measures its resources afterwards.
// Everything is real: SIP and RTP over loopback, database, recordings, VAD, conversation engine; only the vendors'
// clouds are fakes, with the real protocols.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeSipPort } from '../phones/ports.ts'
import { until } from '../until.ts'
import { type CallersOptions, type Outcome, openCallers } from './callers.ts'
import { openClouds } from './clouds.ts'
import { isAtRest, type Look } from './looks.ts'
import type { Started } from './platform.ts'
import { timers } from './sip-timers.ts'

export type SoakOptions = {
  calls: number
  atOnce: number
  /** Fractions of the calls after which resources are measured. */
  looksAt: readonly number[]
  dataDir: string
  /** How long a caller retries when the platform is busy. */
  patienceMs: number
  env?: Record<string, string>
  onLook?: (look: Look) => void
}
export type SoakResult = { looks: Look[]; outcomes: Outcome[] }

const NUMBER = '+551130000001'
const RECORDED_NUMBER = '+551130000002'
/**
 * One call in ten is recorded (20,000 recordings would take a gigabyte) and analyzed (each analysis leaves a timeout of
 * minutes behind).
 */
const RECORDED = 10
/** Time for transactions to end (64 T1) and idle connections to close. */
const SETTLE_MS = 64 * timers.t1 + 800

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const clouds = await openClouds()
  const callers = await openCallers()
  const sipPort = await freeSipPort()
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: options.dataDir,
    PORT: '0',
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: 'off',
    TTS_PROVIDER_A: 'openai',
    STT_PROVIDER: 'openai',
    OPENAI_BASE_URL: clouds.url,
    LLM_BASE_URL: clouds.url,
    LLM_MODEL: 'stand-in',
    LOG_LEVEL: 'fatal',
    CALLS_PER_SECOND: '1000',
    MAX_CALLS: '500',
    MAX_CALLS_PER_USER: '500',
    MEMBER_CALLS_PER_DAY: 'unlimited',
    MEMBER_TEXTS_PER_DAY: 'unlimited',
    MEMBER_LLM_TOKENS_PER_DAY: 'unlimited',
    MEMBER_STT_MINUTES_PER_DAY: 'unlimited',
    BOOTSTRAP_API_KEY: randomBytes(24).toString('hex'),
    ...options.env,
  }
  const platform = fork(join(import.meta.dirname, 'platform.ts'), {
    env,
    execArgv: [
      '--expose-gc',
      '--max-semi-space-size=8',
      '--heap-growing-percent=200',
      '--disable-warning=ExperimentalWarning',
    ],
  })
  try {
    const [started] = (await once(platform, 'message')) as [Started]
    const ways = await agentsOn(started, callers.port, { sipPort, patienceMs: options.patienceMs })
    const outcomes: Outcome[] = []
    const looks: Look[] = []
    let next = 0
    const one = async (last: number) => {
      while (next < last) {
        const n = next++
        outcomes.push(await callers.call(n, n % RECORDED === 0 ? ways.recorded : ways.plain))
      }
    }
    for (const part of options.looksAt) {
      const last = Math.round(options.calls * part)
      await Promise.all(Array.from({ length: options.atOnce }, () => one(last)))
      const look = await lookAt(platform, last)
      looks.push(look)
      options.onLook?.(look)
    }
    return { looks, outcomes }
  } finally {
    platform.kill('SIGKILL')
    await callers.close()
    await clouds.stop()
  }
}

async function lookAt(platform: ChildProcess, calls: number): Promise<Look> {
  const ask = async () => {
    platform.send({ calls })
    const [look] = (await once(platform, 'message')) as [Look]
    return look
  }
  await sleep(SETTLE_MS)
  // Callers are done after the BYE; the platform still has rows to write, and the machine may be busy with something
  // else.
  const resting = async () => {
    const look = await ask()
    return isAtRest(look) && look
  }
  return until('the platform is at rest', resting, 30_000).catch(ask)
}

/** Two agents, one of them recorded, with inbound and outbound calls through a trunk that this process plays. */
async function agentsOn({ url, key }: Started, port: number, common: Pick<CallersOptions, 'sipPort' | 'patienceMs'>) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string; callId: string; key: string }
  }
  headers['x-api-key'] = (await post('/api/api-keys', { name: 'soak', rateLimit: 100_000 })).key
  const carrier = { name: 'carrier', host: '127.0.0.1', port, optionsPing: false }
  const trunk = await post('/api/trunks', carrier)
  async function open(number: string, enabled: boolean): Promise<CallersOptions> {
    const settings = { recording: { enabled }, analysis: { summary: enabled } }
    const opening = 'Clínica Vida, bom dia.'
    const agent = await post('/api/agents', { name: 'Ana', systemPrompt: 'x', initialSpeech: opening, settings })
    for (const link of [{ trunkType: 'inbound', phoneNumber: number }, { trunkType: 'outbound' }])
      await post(`/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, ...link })
    return {
      ...common,
      number,
      order: async (toNumber) => (await post('/api/calls/outbound', { agentId: agent.id, toNumber })).callId,
      hangUp: async (callId) => void (await post(`/api/calls/${callId}/hangup`, {})),
    }
  }
  const ways = { plain: await open(NUMBER, false), recorded: await open(RECORDED_NUMBER, true) }
  await sleep(1500) // the phone service checks for new trunks every second
  return ways
}
