// Who speaks for an agent in a call: its voice, ears and model, joined by the conversation engine; what is said becomes its conversation.
import type { AgentSettings } from './api/agents/settings.ts'
import type { AgentStore } from './api/agents/store.ts'
import type { Turn } from './api/calls/schema.ts'
import type { ConversationStore } from './api/conversations/store.ts'
import { monotonicMs, nowMs } from './base/clock.ts'
import type { Log } from './base/log.ts'
import { fillTemplate, knownVariables } from './brain/prompt.ts'
import type { Announce, AnsweredCall, Converse } from './phone/ports.ts'
import type { SpeechService } from './speech/open.ts'
import { sentences } from './speech/text/sentences.ts'
import { turnRecord } from './turn-record.ts'
import type { Clock, Llm } from './voice/ports.ts'
import { chooseVoice, type Speaker } from './voice/say.ts'
import { runSession, type SessionEvent, type SessionOptions } from './voice/session.ts'
import { type TurnRules, usualRules } from './voice/turn-rules.ts'

const greetings: Readonly<Record<string, string>> = {
  pt: 'Olá! Em que posso ajudar?',
  es: '¡Hola! ¿En qué puedo ayudarle?',
  en: 'Hello! How can I help you?',
}
/** Who is called says hello; then, or after this, the agent opens. */
const HELLO_MS = 1200

export type AgentLineParts = {
  agents: AgentStore
  conversations: ConversationStore
  speech: Pick<SpeechService, 'slots' | 'stt' | 'vad'>
  /** With the agent's `llmConfig` bound to it. */
  llmFor: (llmConfig: Record<string, unknown> | null) => Llm
  /** What was given with the call, for {{name}} in prompt and phrase. */
  variablesOf: (userId: string, callId: string) => Promise<Record<string, string>>
  saveTurns: (callId: string, turns: readonly Turn[]) => Promise<void>
  log: Log
}

export const realClock: Clock = {
  now: monotonicMs,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      const stop = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', stop, { once: true })
    }),
}

export function agentLine(parts: AgentLineParts) {
  const { agents, conversations, speech, llmFor, variablesOf, saveTurns, log } = parts
  async function speakerOf(call: AnsweredCall) {
    const agent = await agents.get(call.userId, call.agent.id)
    const settings = (agent.settings ?? {}) as AgentSettings
    const speaker: Speaker = {
      tts: speech.slots[agent.ttsProvider],
      voiceId: agent.voiceId,
      language: agent.language,
      ...(settings.voice?.speed ? { speed: settings.voice.speed } : {}),
      ...(settings.pronunciation ? { pronunciation: settings.pronunciation } : {}),
      ...(agent.provider_aConfig && agent.ttsProvider === 'provider_a' ? { vendor: agent.provider_aConfig } : {}),
    }
    return { agent, settings, speaker }
  }

  const announce: Announce = async (call, text, transport, signal) => {
    const { speaker } = await speakerOf(call)
    const { say } = await chooseVoice(speaker, signal)
    await transport.play(say(text, signal), signal)
  }

  /** One message after the other, in the order in which they were said. */
  function scribe({ userId, conversationId, callId }: AnsweredCall) {
    let last: Promise<unknown> = Promise.resolve()
    return {
      write(event: SessionEvent): void {
        if (event.type === 'trouble')
          log.warn({ err: event.error, callId, stage: event.stage }, 'a stage of a turn failed')
        if (event.type !== 'said') return
        const message = { type: event.who === 'agent' ? ('agent' as const) : ('user' as const), content: event.text }
        last = last
          .then(() => conversations.send(userId, conversationId, message))
          .catch((err) => log.warn({ err, callId }, 'a message of a call was not kept'))
      },
      done: () => last,
    }
  }

  const converse: Converse = async (call, transport, signal) => {
    const { agent, settings, speaker } = await speakerOf(call)
    const voice = await chooseVoice(speaker, signal).catch((err) => {
      if (!signal.aborted) log.error({ err, callId: call.callId }, 'the agent could not speak')
    })
    if (signal.aborted) return { endReason: 'caller_hangup' }
    if (!voice) return { endReason: 'tts_error', endDetail: 'The voice of the agent could not speak' }
    const { say, isDefault } = voice
    if (isDefault)
      log.warn({ callId: call.callId, voiceId: agent.voiceId }, 'this provider has no such voice; its default speaks')
    const given = await variablesOf(call.userId, call.callId)
    const known = knownVariables({
      atMs: nowMs(),
      language: agent.language,
      timeZone: given.timeZone ?? settings.variables?.timeZone,
      caller: call.fromNumber ?? '',
      callee: call.toNumber,
    })
    const variables = { ...known, ...settings.variables, ...given }
    const prompt = fillTemplate(agent.systemPrompt, variables)
    const greeting = greetings[agent.language.slice(0, 2).toLowerCase()] ?? (greetings.en as string)
    const opening = fillTemplate(agent.initialSpeech ?? greeting, variables)
    const missing = [...new Set([...prompt.missing, ...opening.missing])]
    if (missing.length > 0) log.warn({ callId: call.callId, missing }, 'variables without a value')
    const options: SessionOptions = {
      language: agent.language,
      systemPrompt: prompt.text,
      rules: rulesOf(settings),
      opening: settings.firstMessage === 'caller_first' ? null : opening.text,
      ...(settings.firstMessage === 'agent_first_generated' ? { generatesOpening: true } : {}),
      ...(call.direction === 'outbound' ? { openAfterMs: HELLO_MS } : {}),
      ...(settings.recognition?.hints ? { hints: settings.recognition.hints } : {}),
      ...(settings.endPhrases ? { endPhrases: settings.endPhrases } : {}),
    }
    const vad = await speech.vad().catch((err) => log.error({ err, callId: call.callId }, 'the agent could not hear'))
    if (!vad) return { endReason: 'stt_error', endDetail: 'The agent cannot hear: voice activity is not installed' }
    const session = {
      transport,
      vad,
      stt: speech.stt,
      llm: llmFor(agent.llmConfig),
      say,
      sentences,
      tools: [],
      clock: realClock,
    }
    const book = scribe(call)
    const record = turnRecord()
    try {
      return await runSession(session, options, signal, (event) => {
        book.write(event)
        record.add(event)
      })
    } finally {
      await book.done()
      await saveTurns(call.callId, record.turns).catch((err) =>
        log.warn({ err, callId: call.callId }, 'turns not kept'),
      )
    }
  }

  return { announce, converse }
}

/** The agent's own wishes over the usual. */
function rulesOf({ turn, interruptible }: AgentSettings): TurnRules {
  const given = Object.entries(turn ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return { ...usualRules, ...(interruptible === false ? { interruptible } : {}), ...Object.fromEntries(given) }
}
