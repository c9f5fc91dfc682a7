// The platform in a process of its own, with all defaults: embedded Whisper, Silero and Kokoro.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeSipPort } from '../../test/phones/ports.ts'
import type { Language } from './dialogue.ts'
import { laneMark } from './model.ts'

const KEY = 'talk-bench-key-of-at-least-32-characters'
const READY_MS = 240_000
const ENDED_MS = 15_000

export type Latency = Record<'vadMs' | 'recognitionMs' | 'endOfTurnMs' | 'modelMs' | 'synthesisMs' | 'pacingMs' | 'totalMs', number | null> // biome-ignore format: one line
export type ApiTurn = {
  at: string
  caller: string | null
  agent: string | null
  isCut: boolean
  callerFromMs: number | null
  callerToMs: number | null
  agentFromMs: number | null
  agentToMs: number | null
  latency: Latency
}
export type ApiMessage = { type: string; content: string; timestamp: string }
export type CallRecord = { status: string; endReason: string | null; isEnded: boolean; turns: ApiTurn[]; messages: ApiMessage[] } // biome-ignore format: one line

const agents: Readonly<Record<Language, { systemPrompt: string; initialSpeech: string }>> = {
  'pt-BR': {
    systemPrompt:
      'Você é a recepcionista da Clínica Aurora. Responda sobre horário, endereço, preço, convênio, estacionamento, exames e médicos. Marque e cancele consultas.',
    initialSpeech: 'Clínica Aurora, bom dia! Em que posso ajudar?',
  },
  'en-US': {
    systemPrompt:
      'You are the receptionist of the Aurora Clinic. Answer questions on opening hours, address, prices, insurance, parking, test results and doctors. Book and cancel appointments.',
    initialSpeech: 'Aurora Clinic, good morning! How can I help you?',
  },
  'es-ES': {
    systemPrompt:
      'Usted es la recepcionista de la Clínica Aurora. Responda sobre horario, dirección, precios, seguros, aparcamiento, resultados y médicos. Reserve y cancele citas.',
    initialSpeech: 'Clínica Aurora, ¡buenos días! ¿En qué puedo ayudarle?',
  },
}

export const greetingOf = (language: Language): string => agents[language].initialSpeech

export type Platform = Awaited<ReturnType<typeof startPlatform>>

/** `root`: the checkout to measure. */
export async function startPlatform(wish: { root: string; modelUrl: string; trunkPort: number; lanes: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'talk-bench-'))
  symlinkSync(join(wish.root, 'node_modules', '.cache', 'ramal-models'), join(dataDir, 'models'))
  const sipPort = await freeSipPort()
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    SIP_PORT: String(sipPort),
    LLM_BASE_URL: wish.modelUrl,
    LLM_MODEL: 'stand-in',
    LOG_LEVEL: 'info',
    MEMBER_CALLS_PER_DAY: 'unlimited',
    MEMBER_LLM_TOKENS_PER_DAY: 'unlimited',
    BOOTSTRAP_API_KEY: KEY,
  }
  const args = ['--max-semi-space-size=4', '--heap-growing-percent=200', join(wish.root, 'src', 'main.ts')]
  const child = spawn(process.execPath, args, { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const { url, output } = await ready(child)
  const api = apiAt(url)
  const trunk = await api.post('/api/trunks', {
    name: 'bench',
    host: '127.0.0.1',
    port: wish.trunkPort,
    optionsPing: false,
  })
  const numbers = new Map<string, string>()
  for (const [i, [language, agent]] of Object.entries(agents).entries())
    for (let lane = 0; lane < wish.lanes; lane++) {
      const systemPrompt = `${agent.systemPrompt} ${laneMark(lane)}`
      const { id } = await api.post('/api/agents', { name: 'Aurora', language, ...agent, systemPrompt })
      const number = `+5511300000${i}${lane}`
      await api.post(`/api/agents/${id}/link-trunk`, { trunkId: trunk.id, trunkType: 'inbound', phoneNumber: number })
      numbers.set(`${language} ${lane}`, number)
    }
  await sleep(2000) // the phone service checks for new trunks every second
  return {
    pid: child.pid ?? 0,
    sipPort,
    output,
    numberOf: (language: Language, lane: number): string => numbers.get(`${language} ${lane}`) ?? '',
    recordOf: (from: string) => recordOf(api, from),
    stop,
  }
}

async function ready(child: ChildProcess): Promise<{ url: string; output: () => string }> {
  let text = ''
  const take = (bytes: Buffer) => {
    text = (text + bytes.toString()).slice(-200_000)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  const endMs = performance.now() + READY_MS
  let url: string | undefined
  while (performance.now() < endMs && child.exitCode === null) {
    url ??= /^Ramal listens on (\S+)/m.exec(text)?.[1]
    if (url && text.includes('natural voice ready')) {
      await sleep(3000) // recognition and VAD load in the background
      return { url, output: () => text }
    }
    await sleep(200)
  }
  throw new Error(`the platform did not start: ${text.slice(-2000)}`)
}

function apiAt(url: string) {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${url}${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  return {
    get: (path: string) => ask(path, {}) as Promise<unknown>,
    post: async (path: string, body: object) =>
      (await ask(path, { method: 'POST', body: JSON.stringify(body) })) as { id: string },
  }
}

type ApiCall = { id?: string; callId?: string; conversationId: string; fromNumber?: string; status: string; endReason: string | null; endedAt: string | null } // biome-ignore format: one line

/** The record of the last call from this number, once it has ended. */
async function recordOf(api: ReturnType<typeof apiAt>, from: string): Promise<CallRecord> {
  const endMs = performance.now() + ENDED_MS
  for (;;) {
    const [call] = (await api.get(`/api/calls?q=${encodeURIComponent(from)}`)) as ApiCall[]
    if (!call) throw new Error(`no call from ${from}`)
    const isEnded = call.endedAt != null
    if (isEnded || performance.now() > endMs) {
      const turns = (await api.get(`/api/calls/${call.callId ?? call.id}/turns`)) as ApiTurn[]
      const messages = (await api.get(`/api/conversations/messages/${call.conversationId}?limit=100`)) as ApiMessage[]
      return { status: call.status, endReason: call.endReason, isEnded, turns, messages }
    }
    await sleep(200)
  }
}
