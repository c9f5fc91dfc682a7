// One rehearsal: a scripted caller, a real conversation, a virtual clock; what was said and done comes out.
import type { Llm, Stt, TurnModel, Vad } from '../voice/ports.ts'
import { runSession, type SessionEvent, type SessionOptions, type SessionParts } from '../voice/session.ts'
import { type Doing, followScript } from './caller.ts'
import { agreedSound, realSound } from './caller-audio.ts'
import { heldLlm, heldSay, heldStt, heldTurnModel, heldVad } from './clock-holding.ts'
import type { Outcome, RehearsedTurn, SpokenLine, ToolRun } from './outcome.ts'
import type { Script } from './script.ts'
import { scriptedStt, scriptedVad, type Utterance } from './scripted-stt.ts'
import { type OfferedTool, scriptedTools } from './scripted-tools.ts'
import { scriptedLine } from './scripted-transport.ts'
import { scriptedVoice } from './scripted-tts.ts'
import { VirtualClock } from './virtual-clock.ts'

/** What is real in a rehearsal by sound. Without a voice the agent's is a scripted one. */
export type RealSpeech = { vad: Vad; stt: Stt; turnModel?: TurnModel; say?: SessionParts['say'] }

export type RehearsalParts<T extends RehearsedTurn> = {
  llm: Llm
  sentences: SessionParts['sentences']
  tools: readonly OfferedTool[]
  options: SessionOptions
  /** Gathers turns from what the conversation tells, as for a call. */
  record: { add(event: SessionEvent): void; turns: readonly T[] }
  speech?: RealSpeech
}

export const MAX_CALL_MS = 15 * 60_000
const USUAL_RECOGNITION_MS = 200

/** The signal ends it early: the caller leaves at that moment. */
export async function rehearse<T extends RehearsedTurn>(
  script: Script,
  parts: RehearsalParts<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const { options, record, speech } = parts
  const timing = script.timing ?? {}
  const clock = new VirtualClock()
  const said: Utterance[] = []
  const sound = speech ? realSound(script.noiseDb ?? null) : agreedSound(clock, said)
  const line = scriptedLine(clock, sound.now)
  const leave = () => line.leave()
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()

  const toolCalls: ToolRun[] = []
  const recognitionMs = timing.recognitionMs ?? USUAL_RECOGNITION_MS
  const session: SessionParts = {
    transport: line.transport,
    vad: speech ? heldVad(speech.vad, clock) : scriptedVad,
    stt: speech
      ? heldStt(speech.stt, clock, timing.recognitionMs ?? undefined)
      : scriptedStt(clock, said, () => recognitionMs),
    ...(speech?.turnModel ? { turnModel: heldTurnModel(speech.turnModel, clock) } : {}),
    // Rules take no time worth speaking of; with none at all, what they say comes the same every time.
    llm: heldLlm(parts.llm, clock, timing.modelMs ?? (parts.llm.isModel ? undefined : 0)),
    say: speech?.say
      ? heldSay(speech.say, clock, timing.synthesisMs ?? undefined)
      : scriptedVoice(clock, () => undefined, false, timing.synthesisMs ?? 0),
    sentences: parts.sentences,
    tools: scriptedTools(parts.tools, script.tools ?? {}, clock, toolCalls),
    clock,
  }

  const doings: Doing[] = []
  const transcript = transcriptOf(line.heard, doings, () => clock.now())
  const turnsAtMs: number[] = []
  let isListening = true
  let stepsPlayed = 0
  let end: { endReason: string; atMs: number } | undefined
  let fault: unknown
  runSession(session, options, line.signal, (event) => {
    if (event.type === 'state') isListening = event.state === 'listening'
    if (event.type === 'said') transcript.add(event)
    record.add(event)
    while (turnsAtMs.length < record.turns.length) turnsAtMs.push(clock.now())
  })
    .then(({ endReason }) => {
      end = { endReason, atMs: clock.now() }
      line.leave()
    })
    .catch((error) => {
      fault = error ?? new Error('the conversation failed')
    })
  const scene = { clock, line, sound, isListening: () => isListening, agentOpens: options.opening !== null }
  void followScript(script.steps, scene, doings, () => stepsPlayed++)

  const isOver = () => end !== undefined || fault !== undefined
  if (!(await clock.passUntil(isOver, MAX_CALL_MS))) {
    line.leave()
    await clock.passUntil(isOver, MAX_CALL_MS + 10_000)
  }
  signal.removeEventListener('abort', leave)
  if (fault !== undefined) throw fault
  if (!end) throw new Error('the conversation did not come to an end')
  const { endReason, atMs } = end as { endReason: string; atMs: number }
  const isTooLong = atMs >= MAX_CALL_MS
  return {
    transcript: transcript.lines,
    toolCalls,
    turns: [...record.turns],
    turnsAtMs,
    endReason: isTooLong ? 'rehearsal_limit' : endReason,
    durationMs: Math.round(atMs),
    stepsPlayed,
  }
}

/** What belongs to one utterance has no longer gaps. */
const MAX_GAP_MS = 3000

/** When the agent was heard is known from the line; when the caller spoke, from what he did. */
function transcriptOf(heard: readonly { from: number; to: number }[], doings: readonly Doing[], now: () => number) {
  const lines: SpokenLine[] = []
  const told = { agent: 0, caller: 0 }
  return {
    lines,
    add({ who, text, isCut }: { who: 'caller' | 'agent'; text: string; isCut: boolean }): void {
      const all = who === 'agent' ? heard.map(({ from, to }) => ({ fromMs: from, toMs: to })) : doings
      const spans = all.slice(told[who]).filter(({ fromMs }) => fromMs <= now())
      told[who] += spans.length
      const first = spans.findLastIndex(({ fromMs }, i) => fromMs - (spans[i - 1]?.toMs ?? -Infinity) > MAX_GAP_MS)
      const fromMs = Math.round(spans[first]?.fromMs ?? now())
      const toMs = Math.round(Math.min(now(), spans.at(-1)?.toMs ?? now()))
      lines.push({ who, text, fromMs, toMs, isCut })
    },
  }
}
