// Who speaks for an agent in a call: its voice, ears and model, joined by the conversation engine; what is said becomes its conversation.

import type { Agent } from '../../api/agents/schema.ts'
import type { AgentSettings } from '../../api/agents/settings.ts'
import type { AgentStore } from '../../api/agents/store.ts'
import type { Turn } from '../../api/calls/schema.ts'
import type { ConversationStore } from '../../api/conversations/store.ts'
import { monotonicMs, nowMs } from '../../base/clock.ts'
import { countFault } from '../../base/faults.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { RetryingWrite } from '../../base/retrying-writes.ts'
import { fillTemplate, knownVariables, zoneOf } from '../../llm/prompt.ts'
import type { Announce, AnsweredCall, Converse, Conversed } from '../../phone/ports.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import { sentences } from '../../speech/text/sentences.ts'
import type { CallControl } from '../../tools/ports.ts'
import { prefetchingLlm } from '../../tools/prefetching-llm.ts'
import { capsOf, type Toolbox } from '../../tools/toolbox.ts'
import { chooseVoice, type Speaker } from '../../voice/agent-voice.ts'
import type { Answerer } from '../../voice/amd-classifier.ts'
import type { When } from '../../voice/history.ts'
import type { ActOutcome, Audio, CallAction, Clock, Llm, Message, Tool } from '../../voice/ports.ts'
import {
  runSession,
  type SessionControl,
  type SessionEvent,
  type SessionOptions,
  type SessionParts,
} from '../../voice/session.ts'
import { leaseTransport } from '../../voice/transport-lease.ts'
import { type TurnRules, usualRules } from '../../voice/turn-rules.ts'
import { type AgentTools, summaryOf } from './agent-tools.ts'
import { callNews } from './call-updates.ts'
import { turnMetrics, type WallTime, wallTime } from './turn-metrics.ts'

const greetings: Readonly<Record<string, string>> = {
  pt: 'Olá! Em que posso ajudar?',
  es: '¡Hola! ¿En qué puedo ayudarle?',
  en: 'Hello! How can I help you?',
}
/** Who is called says hello; then, or after this, the agent opens. */
const HELLO_MS = 1200
const MAX_HAND_OVERS = 5
/** Why a session ends when another agent goes on with the call. */
const HANDED_OVER = 'handed_over'
const MAX_CONTEXT = 20_000

export type AgentLineParts = {
  agents: AgentStore
  conversations: ConversationStore
  speech: Pick<SpeechService, 'slots' | 'stt' | 'vad' | 'turnModel'>
  /** The voices as a user may use them; absent: without a bound. */
  slotsFor?: SlotsFor
  /** With the agent's `llmConfig` bound to it. */
  llmFor: (llmConfig: Record<string, unknown> | null) => Llm
  /** What was given with the call, for {{name}} in prompt and phrase. */
  variablesOf: (userId: string, callId: string) => Promise<Record<string, string>>
  saveTurns: (callId: string, turns: readonly Turn[]) => Promise<void>
  /** Stores in order, also after an absence of the database. */
  write: RetryingWrite
  /** Who answered a call of ours. */
  saveAnsweredBy: (callId: string, by: Answerer) => Promise<void>
  tools: Pick<AgentTools, 'forCall'>
  /** An agent has begun its part of a call, and can be led by whoever watches it. */
  onReady?: (callId: string, lead: AgentSessionControl) => void
  log: Log
  clock?: Clock
}

/** What an operator can do with a call through its agent. */
export type AgentSessionControl = SessionControl & {
  /** Sound of a text in the agent's voice. */
  speech(text: string): Audio
  /** Another agent of the same owner takes over at once; the note is for it alone. */
  handOver(agentId: string, note: string | null): Promise<ActOutcome>
}

type Variables = Readonly<Record<string, string>>

/** An agent that is ready to speak. */
type Prepared = {
  agent: Agent
  session: Pick<SessionParts, 'vad' | 'stt' | 'llm' | 'say' | 'turnModel'>
  options: SessionOptions
  variables: Variables
}

export const realClock: Clock = {
  now: monotonicMs,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop) // a call's own signal outlives many sleeps
        resolve()
      }
      const timer = setTimeout(stop, ms)
      signal.addEventListener('abort', stop, { once: true })
    }),
}

export function voiceAgent(parts: AgentLineParts) {
  const {
    agents,
    conversations,
    speech,
    slotsFor = () => speech.slots,
    llmFor,
    variablesOf,
    saveTurns,
    write,
    tools,
    saveAnsweredBy,
    onReady,
    log,
    clock = realClock,
  } = parts
  async function speakerOf(userId: string, agentId: string) {
    const agent = await agents.get(userId, agentId)
    return { agent, speaker: speakerFor(agent, slotsFor(userId)) }
  }

  const announce: Announce = async (call, text, transport, signal) => {
    const { speaker } = await speakerOf(call.userId, call.agent.id)
    const { say } = await chooseVoice(speaker, signal)
    await transport.play(say(text, signal), signal)
  }

  /** One message after the other, in the order in which they were said. */
  function scribe({ userId, conversationId, callId }: AnsweredCall, wall: WallTime) {
    const store = (what: string, task: () => Promise<unknown>) =>
      void write(callId, task).catch((err) => log.warn({ err, callId }, `failed to store ${what}`))
    const lines: string[] = []
    const keep = (type: 'agent' | 'user' | 'system', content: string, when: When | null = null) => {
      const at = wall(when)
      lines.push(`${type === 'user' ? 'Caller' : type === 'agent' ? 'Agent' : 'Note'}: ${content}`)
      const id = newId('msg') // drawn once: a write that was stored although it seemed to fail is not stored again
      store('a message of a call', () => conversations.said(userId, conversationId, { type, content }, at, id))
    }
    return {
      write(event: SessionEvent): void {
        if (event.type === 'trouble') {
          log.warn({ err: event.error, callId, stage: event.stage }, 'a stage of a turn failed')
          if (event.stage === 'vad') countFault('vad')
        }
        if (event.type === 'answeredBy') store('AMD result', () => saveAnsweredBy(callId, event.by))
        if (event.type === 'said') keep(event.who === 'agent' ? 'agent' : 'user', event.text, event.when)
      },
      note: (text: string) => keep('system', text),
      /** All that was said so far. */
      told: () => lines.join('\n').slice(-MAX_CONTEXT),
      turns: (turns: readonly Turn[]) => store('turns of a call', () => saveTurns(callId, turns)),
    }
  }

  /** All that an agent needs to speak in this call; or why it cannot, as the call's end. */
  async function prepared(
    call: AnsweredCall,
    agentId: string,
    given: Variables,
    signal: AbortSignal,
  ): Promise<Prepared | Conversed> {
    const { agent, speaker } = await speakerOf(call.userId, agentId)
    const voice = await chooseVoice(speaker, signal).catch((err) => {
      if (!signal.aborted) log.error({ err, callId: call.callId }, 'the agent could not speak')
    })
    if (signal.aborted) return { endReason: 'caller_hangup' }
    if (!voice) return { endReason: 'tts_error', endDetail: 'The voice of the agent could not speak' }
    const { say, isDefault } = voice
    if (isDefault)
      log.warn({ callId: call.callId, voiceId: agent.voiceId }, 'this provider has no such voice; its default speaks')
    const { options, variables, missing } = conversationOptions(agent, given, call)
    if (missing.length > 0) log.warn({ callId: call.callId, missing }, 'variables without a value')
    const vad = await speech.vad().catch((err) => log.error({ err, callId: call.callId }, 'the agent could not hear'))
    if (!vad) return { endReason: 'stt_error', endDetail: 'The agent cannot hear: voice activity is not installed' }
    const turnModel = await speech.turnModel()
    const session = { vad, ...(turnModel ? { turnModel } : {}), stt: speech.stt, llm: llmFor(agent.llmConfig), say }
    return { agent, session, options, variables }
  }

  function toolboxFor(call: AnsweredCall, { agent, session, variables }: Prepared, live: CallControl, epoch: number) {
    const { id, name, language } = agent
    const setting = {
      userId: call.userId,
      agent: { id, name },
      conversationId: call.conversationId,
      language,
      timeZone: zoneOf(language, variables.timeZone),
      call: live,
      variables,
      caps: capsOf((agent.settings ?? {}) as AgentSettings),
      summarise: (history: readonly Message[], stop: AbortSignal) => summaryOf(session.llm, history, language, stop),
    }
    return tools.forCall(setting, String(epoch)).catch((err): Toolbox => {
      log.error({ err, callId: call.callId }, 'the tools of the agent could not be made ready; it goes on without')
      return { tools: [], ready: Promise.resolve(), unknown: () => {}, refused: () => {}, variables: () => variables }
    })
  }

  const converse: Converse = async (call, transport, signal) => {
    const given = await variablesOf(call.userId, call.callId)
    const first = await prepared(call, call.agent.id, given, signal)
    if (!('agent' in first)) return first
    const lend = leaseTransport(transport)
    const wall = wallTime(clock)
    const book = scribe(call, wall)
    const record = turnMetrics(wall)
    const news = call.tell && callNews(call.tell, wall, record.turns)
    let speaking: Prepared = first

    /** The next agent is made ready while this one still speaks: if it cannot take over, nothing has changed. */
    async function successor(agentId: string, message: string | null, times: number): Promise<Prepared | string> {
      if (times >= MAX_HAND_OVERS) return 'This call has been handed over too often.'
      if (agentId === speaking.agent.id) return 'This agent has the call already.'
      const next = await prepared(call, agentId, given, signal).catch((err) => {
        log.error({ err, callId: call.callId, agentId }, 'failed to prepare an agent for a handover')
        return null
      })
      if (!next || !('agent' in next) || !next.agent.isActive) return 'That agent cannot take the call.'
      const { openAfterMs, screens, generatesOpening, ...options } = next.options
      const opening = message ?? options.opening ?? greetingIn(next.agent.language)
      return { ...next, options: { ...options, opening } }
    }

    /** Why a call was not given away is not told to the model: its words are for us. */
    function noted(outcome: ActOutcome): ActOutcome {
      const { status, detail } = outcome
      if (status !== 'connected' && status !== 'done')
        log.info({ callId: call.callId, status, detail }, 'transfer failed')
      return outcome
    }
    const acted = async (action: CallAction) => {
      const outcome = await transport.act(action)
      return action.do === 'transfer' ? noted(outcome) : outcome
    }

    /** One agent, to the end of its part; and who goes on then. */
    async function part(times: number) {
      let next: Prepared | null = null
      const { session, options } = speaking
      const { callId: id, direction, fromNumber, toNumber } = call
      const live: CallControl = {
        ...{ id, direction, fromNumber, toNumber },
        act: acted,
        speech: (text) => session.say(text, signal),
        async handOver(agentId, message) {
          const found = await successor(agentId, message, times)
          if (typeof found === 'string') return noted({ status: 'failed', detail: found })
          next = found
          return { status: 'connected', detail: `${found.agent.name} takes over.` }
        },
      }
      const led = (lead: SessionControl) =>
        onReady?.(call.callId, {
          ...lead,
          speech: live.speech,
          async handOver(agentId, note) {
            const outcome = await live.handOver(agentId, null)
            if (outcome.status !== 'connected') return outcome
            if (next && note) next = withNote(next, note)
            lead.end(HANDED_OVER)
            return outcome
          },
        })
      const box = await toolboxFor(call, speaking, live, times)
      const isOurs = (asked: string) => box.tools.some(({ name }) => name === asked)
      const loan = lend()
      const own = () => {
        const ours = news ? box.tools.map(news.tool) : box.tools
        return ours.map((tool) => leavingFor(tool, () => next !== null))
      }
      const ownTools = own()
      void box.ready.then(() => ownTools.splice(0, ownTools.length, ...own()))
      const llm = prefetchingLlm(session.llm, box.context)
      const parts = { ...session, llm, transport: loan.transport, sentences, tools: ownTools, clock, onReady: led }
      const end = await runSession(parts, options, signal, (event) => {
        book.write(event)
        record.add(event)
        news?.event(event)
        if (event.type === 'tool' && !isOurs(event.call.name)) box.unknown(event.call)
        if (event.type === 'tool-refused') box.refused(event.call, event.why)
      })
      loan.release()
      return { end, next: next as Prepared | null, variables: box.variables() }
    }

    try {
      for (let times = 0; ; times++) {
        const { end, next, variables } = await part(times)
        const { endReason, ...more } = end
        if (endReason !== HANDED_OVER) return { endReason, ...more }
        if (!next || signal.aborted) return { endReason: 'caller_hangup' }
        const context = `The call was handed over to you by another agent, ${speaking.agent.name}. What was said before:`
        const systemPrompt = `${next.options.systemPrompt}\n\n${context}\n${book.told()}`
        book.note(`The call was handed over to ${next.agent.name}.`)
        speaking = {
          ...next,
          options: { ...next.options, systemPrompt },
          variables: { ...next.variables, ...variables },
        }
      }
    } finally {
      book.turns(record.turns) // the call's end is written after them
    }
  }

  return { announce, converse }
}

const withNote = (next: Prepared, note: string): Prepared => {
  const systemPrompt = `${next.options.systemPrompt}\n\nA note about this call from a person who watches it: ${note}`
  return { ...next, options: { ...next.options, systemPrompt } }
}

/** When another agent takes over, this one's session ends as soon as what is being said was heard. */
const leavingFor = (tool: Tool, isLeaving: () => boolean): Tool => ({
  ...tool,
  async run(...asked) {
    const { isLast, ...result } = await tool.run(...asked)
    if (isLeaving()) return { ...result, endsCall: HANDED_OVER }
    return isLast === undefined ? result : { ...result, isLast }
  },
})

const greetingIn = (language: string) => greetings[language.slice(0, 2).toLowerCase()] ?? (greetings.en as string)

/** With whose voice an agent speaks, and how. */
export function speakerFor(agent: Agent, slots: SpeechService['slots']): Speaker {
  const settings = (agent.settings ?? {}) as AgentSettings
  return {
    tts: slots[agent.ttsProvider],
    voiceId: agent.voiceId,
    language: agent.language,
    ...(settings.voice?.speed ? { speed: settings.voice.speed } : {}),
    ...(settings.pronunciation ? { pronunciation: settings.pronunciation } : {}),
    ...(agent.provider_aConfig && agent.ttsProvider === 'provider_a' ? { vendor: agent.provider_aConfig } : {}),
  }
}

/** How an agent converses, its variables filled with what was given; `missing` are those without a value. */
export function conversationOptions(
  agent: Agent,
  given: Variables,
  call: { direction: 'inbound' | 'outbound'; fromNumber: string | null; toNumber: string },
): { options: SessionOptions; variables: Record<string, string>; missing: string[] } {
  const settings = (agent.settings ?? {}) as AgentSettings
  const known = knownVariables({
    atMs: nowMs(),
    language: agent.language,
    timeZone: given.timeZone ?? settings.variables?.timeZone,
    caller: call.fromNumber ?? '',
    callee: call.toNumber,
  })
  const variables = { ...known, ...settings.variables, ...given }
  const prompt = fillTemplate(agent.systemPrompt, variables)
  const opening = fillTemplate(agent.initialSpeech ?? greetingIn(agent.language), variables)
  const isOut = call.direction === 'outbound'
  const voicemail = fillTemplate((isOut && settings.voicemail?.message) || '', variables)
  const options: SessionOptions = {
    language: agent.language,
    systemPrompt: prompt.text,
    rules: rulesOf(settings),
    opening: settings.firstMessage === 'caller_first' ? null : opening.text,
    ...(settings.firstMessage === 'agent_first_generated' ? { generatesOpening: true } : {}),
    ...(isOut ? { openAfterMs: HELLO_MS, screens: { message: voicemail.text } } : {}),
    ...(settings.recognition?.hints ? { hints: settings.recognition.hints } : {}),
    ...(settings.endPhrases ? { endPhrases: settings.endPhrases } : {}),
  }
  return { options, variables, missing: [...new Set([...prompt.missing, ...opening.missing, ...voicemail.missing])] }
}

/** The agent's own wishes over the usual. */
function rulesOf({ turn, interruptible, voicemail }: AgentSettings): TurnRules {
  const given = Object.entries(turn ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const wished = voicemail?.action ?? usualRules.voicemail
  return {
    ...usualRules,
    ...(interruptible === false ? { interruptible } : {}),
    // A message that nobody wrote cannot be left.
    voicemail: wished === 'message' && !voicemail?.message?.trim() ? 'hangup' : wished,
    ...Object.fromEntries(given),
  }
}
