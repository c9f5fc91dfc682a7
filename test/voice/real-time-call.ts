// A caller in real time, with a recognizer over real sockets; the other engines follow a script.
import { FIRST_LEVEL, FRAME } from '../../src/simulation/scripted-stt.ts'
import { scriptedTransport } from '../../src/simulation/scripted-transport.ts'
import { realClock } from '../../src/voice/clock.ts'
import type { Stt } from '../../src/voice/ports.ts'
import { runSession, type SessionEvent } from '../../src/voice/session.ts'
import { defaultTurnRules } from '../../src/voice/turn/rules.ts'
import { until } from '../until.ts'
import { scriptedLlm, scriptedSentences, scriptedVad, scriptedVoice } from './scripted-edges.ts'

const FRAME_MS = 20

export type RealTimeOptions = { stt: Stt; speechMs: readonly number[]; pauseMs?: number }

/**
 * Speaks for each of these durations, frame by frame even if frames are taken late, with pauses in which the agent
 * replies.
 */
export async function realTimeCall({ stt, speechMs, pauseMs = 2500 }: RealTimeOptions) {
  const events: SessionEvent[] = []
  const spoken: string[] = []
  /** Delay from the last sound of each utterance to its final transcript. */
  const delaysMs: number[] = []
  const streams = { count: 0, audioMs: 0 }
  let voicedFrames = 0
  let endedAt = 0

  const watched: Stt = {
    name: stt.name,
    get isEmbedded() {
      return stt.isEmbedded ?? false
    },
    get isLive() {
      return stt.isLive ?? false
    },
    async *transcribe(audio, options, signal) {
      streams.count++
      const counted = async function* () {
        for await (const frame of audio) {
          streams.audioMs += (frame.pcm.length / frame.rateHz) * 1000
          yield frame
        }
      }
      for await (const transcript of stt.transcribe(counted(), options, signal)) {
        if (transcript.isFinal) delaysMs.push(realClock.now() - endedAt)
        yield transcript
      }
    },
  }
  const line = scriptedTransport(realClock, () => {
    if (voicedFrames === 0) return new Int16Array(FRAME)
    if (--voicedFrames === 0) endedAt = realClock.now()
    return new Int16Array(FRAME).fill(FIRST_LEVEL)
  })
  const done = runSession(
    {
      transport: line.transport,
      vad: scriptedVad,
      stt: watched,
      clock: realClock,
      tools: [],
      llm: scriptedLlm(realClock, () => 'Sim.', 0, []),
      say: scriptedVoice(realClock, { hasTimings: false }),
      sentences: scriptedSentences,
      onEvent: (event) => events.push(event),
      onSpeaking: (speech) => speech.who === 'caller' && spoken.push(speech.text),
    },
    { language: 'pt-BR', systemPrompt: '', rules: defaultTurnRules, opening: null },
    line.signal,
  )
  const pass = (ms: number) => realClock.sleep(ms, line.signal)
  const turns = () =>
    events.flatMap((event) => (event.type === 'utterance' && event.who === 'caller' ? [event.text] : []))
  await pass(200)
  for (const [i, ms] of speechMs.entries()) {
    voicedFrames = ms / FRAME_MS
    await until('the speech has ended', () => voicedFrames === 0)
    await pass(pauseMs)
    await until('it was understood', () => turns().length > i)
  }
  line.leave()
  await done
  return { turns: turns(), delaysMs, spoken, streams, events }
}
