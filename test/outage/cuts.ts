// One call in which vendors are cut off, and what the caller hears.
import type { Client } from '../app.ts'
import { ended, type PhoneApp } from '../phone-app.ts'
import { until } from '../until.ts'
import { type Outage, outages } from '../vendors/faults.ts'
import type { Heard } from '../vendors/spelled-tone.ts'
import type { PhoneCaller } from './caller.ts'
import { type ChainKind, chainKinds, type Vendors } from './vendors.ts'

export const moments = ['listening', 'thinking', 'speaking'] as const
export type Moment = (typeof moments)[number]
export type Cut = {
  target: ChainKind | 'all'
  moment: Moment
  /** Null: nothing fails, as a baseline. */
  outage: Outage | null
  /** The chain has a second vendor before the embedded engines. */
  hasSecond: boolean
}

export const nameOf = ({ target, moment, outage, hasSecond }: Cut) =>
  `${target} ${outage ?? 'well'} while ${moment}, then ${hasSecond ? 'a second vendor' : 'the embedded engines'}`

/** Every kind of outage at every moment. */
export const allCuts = (hasSecond: boolean): Cut[] =>
  [...chainKinds, 'all' as const].flatMap((target) =>
    moments.flatMap((moment) => outages.map((outage) => ({ target, moment, outage, hasSecond }))),
  )

export type Line = {
  app: PhoneApp
  client: Client
  caller: PhoneCaller
  number: string
  question: Int16Array
  vendors: Vendors
}

export type CutResult = {
  cut: Cut
  /** Time from the cut, or from the end of the caller's words, to the agent's next sound; null: none came. */
  silenceMs: number | null
  isLost: boolean
  endReason: string
  callId: string
  /** What the phone received before and after the cut. */
  heard: Heard[]
  cutAtMs: number
  /** When the (last) question began. */
  askedAtMs: number
  messages: { type: string; content: string }[]
  turns: Turn[]
}
export type Turn = { caller: string | null; agent: string | null; latency: Record<string, number | null> }

const CUT_INTO_QUESTION_MS = 700
/** At these times the model is writing its second sentence, or the voice is speaking it. */
const CUT_INTO_REPLY_MS = { llm: 700, tts: 2000, stt: 700, all: 1300 }
/** After this long without a sound a caller would have hung up. */
const GIVES_UP_MS = 25_000
/** Shorter silences are part of the voice. */
const PAUSE_MS = 30

export async function runCut(line: Line, cut: Cut): Promise<CutResult> {
  const { app, client, caller, number, vendors } = line
  await caller.dial(`sip:${number}@127.0.0.1:${app.sipPort}`)
  const { callId, conversationId } = await until('the call', async () => {
    const [latest] = (await client.get('/api/calls')).json
    return latest?.endedAt === null && latest.conversationId && latest
  })
  const messagesOf = async () =>
    (await client.get(`/api/conversations/messages/${conversationId}`)).json as CutResult['messages']
  const replies = async () => (await messagesOf()).filter(({ type }) => type === 'agent').length
  const record = async () => (await client.get(`/api/calls/${callId}`)).json
  await until('the agent has greeted', async () => (await replies()) > 0)
  const { cutAtMs, silentFromMs, before, askedAtMs } = await cutAt(line, cut, replies)
  /** The reply is stored once all of it was played. */
  const isOver = async () => {
    if (caller.nowMs() > silentFromMs + GIVES_UP_MS || (await record()).endedAt !== null) return true
    return caller.soundAfter(silentFromMs + PAUSE_MS) !== null && (await replies()) > before
  }
  await until('the agent has gone on, or the caller gives up', isOver, GIVES_UP_MS + 20_000)
  const heard = caller.heard()
  const { endedAt } = await record()
  if (endedAt === null) await caller.phone.hangUp()
  const { endReason } = await ended(client, callId)
  await vendors.cut('all', null)
  const silenceMs = silenceAfter(heard, silentFromMs)
  const messages = await messagesOf()
  const turns = (await client.get(`/api/calls/${callId}/turns`)).json
  return { cut, silenceMs, isLost: endedAt !== null, endReason, callId, heard, cutAtMs, askedAtMs, messages, turns }
}

type CutMoment = { cutAtMs: number; silentFromMs: number; before: number; askedAtMs: number }

/** Asks the question and cuts the vendors off at the right moment. */
async function cutAt(line: Line, cut: Cut, replies: () => Promise<number>): Promise<CutMoment> {
  const { caller, vendors, question } = line
  const { target, moment, outage } = cut
  const strike = async () => {
    await vendors.cut(target, outage)
    return caller.nowMs()
  }
  let { fromMs, toMs } = await caller.says(question)
  const firstMs = fromMs
  if (moment === 'listening') {
    await caller.reaches(fromMs + CUT_INTO_QUESTION_MS, 'the caller is speaking')
    return { cutAtMs: await strike(), silentFromMs: toMs, before: 1, askedAtMs: fromMs }
  }
  if (moment === 'thinking') {
    await caller.reaches(toMs, 'the caller has spoken')
    // Partial transcripts trigger the model early, so wait for the final one: otherwise the embedded recognizer would
    // have to understand this caller.
    const isHeard = () => target !== 'all' || vendors.of.stt.proxy.busy() === 0
    if (target !== 'stt') await until('the model is asked', () => isHeard() && vendors.of.llm.proxy.busy() > 0)
    const cutAtMs = await strike()
    return { cutAtMs, silentFromMs: Math.max(cutAtMs, toMs), before: 1, askedAtMs: fromMs }
  }
  const spokenMs = () => caller.nowMs() - (caller.soundAfter(toMs)?.fromMs ?? caller.nowMs())
  await until('the agent is in mid-sentence', () => spokenMs() > CUT_INTO_REPLY_MS[target], 20_000)
  const cutAtMs = await strike()
  if (target !== 'stt') return { cutAtMs, silentFromMs: cutAtMs, before: 1, askedAtMs: fromMs }
  // The recognizer is not needed while the agent speaks, only for the caller's next words.
  const before = await until('the reply is over', async () => (await replies()) > 1 && 2, 20_000)
  ;({ fromMs, toMs } = await caller.says(question))
  return { cutAtMs, silentFromMs: toMs, before, askedAtMs: firstMs }
}

/** The longest silence from this moment to the last sound. */
function silenceAfter(heard: readonly Heard[], fromMs: number): number | null {
  let last = fromMs
  let longest: number | null = null
  for (const sound of heard) {
    if (sound.toMs <= fromMs + PAUSE_MS) continue
    longest = Math.max(longest ?? 0, sound.fromMs - last)
    last = sound.toMs
  }
  return longest
}
