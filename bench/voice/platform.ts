// The process under test: media threads, VAD, recordings and the conversation engine; only STT, LLM and TTS are fakes.
import { join } from 'node:path'
import { NICENESS, setThreadNiceness } from '../../src/base/process/thread-priority.ts'
import type { MediaLeg } from '../../src/rtp/leg.ts'
import { openMedia } from '../../src/rtp/pool.ts'
import { sentences } from '../../src/speech/text/sentences.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { realClock } from '../../src/voice/clock.ts'
import type { Audio, Llm, Stt, Transport } from '../../src/voice/ports.ts'
import { runSession, type SessionEvent } from '../../src/voice/session.ts'
import { defaultTurnRules } from '../../src/voice/turn/rules.ts'
import { pcmuTo } from '../../test/rtp-peer.ts'
import {
  ANSWER,
  ANSWER_HZ,
  answerFrames,
  QUESTION,
  residentMbAtRest,
  terms,
  type Usage,
  usageMeter,
  wait,
} from './terms.ts'

export type ToPlatform =
  | { do: 'open'; calls: number }
  | { do: 'talk'; port: number; folder: string }
  | { do: 'measure' | 'report' | 'close' }
export type PlatformReport = Usage & { busy: number; clockLateMs: number; troubles: number; ended: number }

const media = await openMedia({ host: '127.0.0.1', ports: { from: 30_000, to: 32_767 } })
const vad = await openSilero()
setThreadNiceness(NICENESS.conversation) // as main.ts does
const legs: MediaLeg[] = []
const over = new AbortController()
let meter = usageMeter()
let [troubles, ended] = [0, 0]

const stt: Stt = {
  name: 'fake',
  async *transcribe(audio) {
    for await (const _ of audio);
    await wait(terms.recognitionMs)
    yield { text: QUESTION, isFinal: true }
  },
}
const llm: Llm = {
  name: 'fake',
  isModel: true,
  async *reply() {
    await wait(terms.modelMs)
    yield { say: ANSWER }
  },
}
const answer = answerFrames()
async function* say(): Audio {
  await wait(terms.voiceMs)
  for (const pcm of answer) yield { pcm, rateHz: ANSWER_HZ }
}

const rules = {
  ...defaultTurnRules,
  minPauseMs: terms.pauseMs,
  maxPauseMs: terms.pauseMs,
  idleReminderMs: 0,
  speculate: false,
}
const options = { language: 'pt-BR', systemPrompt: 'Você é a Ana.', rules, opening: null }

async function converse(leg: MediaLeg): Promise<void> {
  const transport: Transport = {
    input: leg.input,
    listen: (options, sink) => leg.listen(options, sink),
    digits: leg.digits,
    play: (audio, signal) => leg.play(audio, signal),
    volume: (gain) => leg.volume(gain),
    hold: (isHeld) => leg.hold(isHeld),
    act: async () => ({ status: 'done' }),
  }
  const onEvent = (event: SessionEvent) => {
    if (event.type === 'error') troubles++
  }
  await runSession(
    { transport, vad, stt, llm, say, sentences, tools: [], clock: realClock, onEvent },
    options,
    over.signal,
  )
  ended++
}

async function obey(wish: ToPlatform): Promise<unknown> {
  if (wish.do === 'open') {
    const residentMb = residentMbAtRest()
    for (let i = 0; i < wish.calls; i++) legs.push(await media.open())
    return { ports: legs.map(({ port }) => port), residentMb }
  }
  if (wish.do === 'talk') {
    for (const [i, leg] of legs.entries()) {
      leg.configure(pcmuTo(wish.port))
      await leg.record(join(wish.folder, `${i}.wav`))
      void converse(leg)
    }
  }
  if (wish.do === 'measure') {
    meter = usageMeter()
    ;[troubles, ended] = [0, 0]
  }
  if (wish.do === 'report') {
    const { busy, lateMs } = media.load()
    return { ...meter(), busy, clockLateMs: lateMs, troubles, ended } satisfies PlatformReport
  }
  if (wish.do === 'close') {
    over.abort()
    await Promise.all(legs.map((leg) => leg.close()))
    await media.close()
    await vad.close()
  }
  return {}
}

process.on('message', async (wish: ToPlatform) => {
  process.send?.(await obey(wish))
  if (wish.do === 'close') process.disconnect()
})
process.send?.('ready')
