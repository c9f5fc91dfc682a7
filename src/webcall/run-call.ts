// A web call from its first sound to its end: the agent speaks and listens, the recorder runs, the limits hold, and the record says how it went.
import { waitAtMost } from '../base/abort.ts'
import { monotonicMs, steadyClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { conversed, ownEnds } from '../phone/endings.ts'
import type { Agent, Announce, AnsweredCall, CallEnd, CallRepository, Converse } from '../phone/ports.ts'
import { callRecording, type RecordingFolder } from '../rtp/call-recording.ts'
import type { Transport } from '../voice/ports.ts'
import type { LineClock } from './audio-clock.ts'
import { SoundLine } from './audio-line.ts'
import type { ClientTransport } from './client-transport.ts'

export type RunParts = {
  book: Pick<CallRepository, 'answered' | 'recorded' | 'finish'>
  converse: Converse
  announce: Announce
  clock: LineClock
  recordings: RecordingFolder
  maxCallMs: number
  /** So long nothing may come from the browser. */
  lostAfterMs?: number
  log: Log
}

export type HangUpReason = 'api' | 'shutdown' | 'max_duration'

const ends = {
  ...ownEnds,
  gone: { status: 'completed', endReason: 'caller_hangup', hangupBy: 'caller' },
  lost: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'No audio came from the browser',
    hangupBy: 'system',
  },
  broken_off: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'The connection to the browser broke and was not taken up again',
    hangupBy: 'system',
  },
  unreached: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'The browser could not be reached: no way for its audio was found',
    hangupBy: 'system',
  },
} as const satisfies Record<string, CallEnd>

const LOST_AFTER_MS = 30_000
/** The browser is told of the end when it is written, or after this. */
const WRITING_MS = 2000

export function runWebCall(parts: RunParts, call: { id: string; userId: string; agent: Agent }, far: ClientTransport) {
  const { book, log, lostAfterMs = LOST_AFTER_MS } = parts
  const { id, userId, agent } = call
  const left = new AbortController()
  const now = steadyClock()
  const over = Promise.withResolvers<CallEnd>() // the first reason is the reason

  function end(why: CallEnd): void {
    over.resolve({ ...why, endedAt: now() })
    left.abort()
  }

  function failed(err: unknown): void {
    log.error({ err, callId: id }, 'a step of a web call failed')
  }

  const line = new SoundLine({
    ...{ codec: far.codec, payloadType: far.payloadType, outputHz: far.outputHz, nowMs: monotonicMs() },
    send: (frame, isTalk) => far.send(frame, isTalk),
    onCleared: () => far.tell({ type: 'clear' }),
  })

  function tick(nowMs: number, skipped: number): void {
    try {
      line.tick(nowMs, skipped)
    } catch (err) {
      failed(err)
      end(ends.broken)
    }
    if (nowMs - line.heardAtMs > lostAfterMs) end(ends.lost)
  }

  const transport: Transport = {
    input: line.input,
    digits: line.digits,
    play: (audio, signal) => line.play(audio, signal),
    volume: (gain) => line.volume(gain),
    async act(action) {
      if (action.do !== 'hangup') return { status: 'failed', detail: cannot[action.do] }
      end({ status: 'completed', endReason: action.reason, hangupBy: 'agent' })
      return { status: 'done' }
    },
  }

  const recording = callRecording(parts.recordings, id)
  async function record(info: AnsweredCall): Promise<void> {
    if (!agent.recording) return
    const { consentNotice } = agent.recording
    if (consentNotice) await parts.announce(info, consentNotice, transport, left.signal)
    if (left.signal.aborted) return
    const onFailed = (problem: string) => {
      recording.failed(problem)
      log.error({ callId: id, problem }, 'recording failed; the call continues')
    }
    if (await recording.begin((path) => line.record(path, onFailed))) await book.recorded(id, recording)
    else log.error({ callId: id }, 'recording not started: the disk is nearly full')
  }

  async function converse(): Promise<void> {
    if (!(await far.ready)) return end(ends.unreached)
    const begun = await book.answered(id, now())
    if (!begun) return end(ends.api) // hung up through the API before it began
    if ('problem' in begun) return end(ends[begun.problem])
    const { conversationId } = begun
    const rates = { inputRateHz: far.codec.rateHz, outputRateHz: far.outputHz }
    far.tell({ type: 'started', callId: id, conversationId, ...rates })
    const way = { direction: 'inbound', fromNumber: null, toNumber: 'web' } as const
    const tell: AnsweredCall['onUpdate'] = (news) => far.tell(news)
    const info: AnsweredCall = { callId: id, conversationId, userId, agent, ...way, onUpdate: tell }
    await record(info).catch(failed)
    if (left.signal.aborted) return
    end(conversed(await parts.converse(info, transport, left.signal)))
  }

  async function run(): Promise<CallEnd> {
    far.listen({
      onSound: (packet, nowMs) => line.put(packet, nowMs),
      onMessage: (message) => (message.type === 'hangup' ? end(ends.gone) : line.pushDigit(message.digit)),
      onGone: () => end(ends.gone),
      onLost: () => end(ends.broken_off),
    })
    const limitMs = Math.min(parts.maxCallMs, agent.maxDurationMs ?? Number.POSITIVE_INFINITY)
    const timer = setTimeout(() => end(ends.max_duration), limitMs)
    const stopClock = parts.clock.add(tick)
    const talk = converse().catch((err) => {
      if (left.signal.aborted) return
      failed(err)
      end(ends.broken)
    })
    const ending = await over.promise
    clearTimeout(timer)
    stopClock()
    await line.close().catch(failed) // a recording is whole before anyone is told that it is there
    await talk
    const written = book.finish(id, { ...ending, recording: await recording.outcome() })
    await waitAtMost(
      WRITING_MS,
      written.catch(() => {}),
    )
    far.tell({ type: 'ended', endReason: ending.endReason })
    far.close()
    await written
    return ending
  }

  return { hangUp: (reason: HangUpReason): void => end(ends[reason]), done: run() }
}

const cannot = {
  digits: 'A browser takes no keys',
  transfer: 'A web call cannot be transferred to a number',
} as const
