// An answered call, to its end: the agent speaks and listens, the recorder runs, the limits hold, and the record says how it went.
import type { Log } from '../base/log.ts'
import { callRecording, type RecordingFolder } from '../rtp/call-recording.ts'
import type { LegEvent, MediaLeg } from '../rtp/leg.ts'
import type { CallEnding, SipCall } from '../sip/dialog/call.ts'
import type { AudioSession } from './audio-session.ts'
import type { TransferTarget } from './bridge.ts'
import type { HangUpReason } from './capacity.ts'
import { dtmfSender } from './dtmf.ts'
import { endOfAnswered, endOfConversation, systemEnds } from './endings.ts'
import { holdMusic } from './hold-music.ts'
import { legTransport } from './leg-transport.ts'
import type { Agent, Announce, AnsweredCall, CallEnd, CallRepository, Converse, Device, Trunk } from './ports.ts'
import { callTransfers, type TransferParts } from './transfers.ts'

export type AnswerParts = TransferParts & {
  book: CallRepository
  converse: Converse
  announce: Announce
  recordings: RecordingFolder
  maxCallMs: number
  log: Log
}

export type Answered = {
  id: string
  userId: string
  agent: Agent
  direction: 'inbound' | 'outbound'
  fromNumber: string | null
  toNumber: string
  trunk: Trunk | null
  device: Device | null
  sip: SipCall
  leg: MediaLeg
  audio: AudioSession
  /** Told by the SIP call. */
  ended: Promise<CallEnding>
  /** The far side has our answer. Before that nobody knows that the caller is where the INVITE said: it may be forged. */
  acknowledged?: Promise<void>
  /** The time of this call, as its record has it. */
  now: () => string
}

export type RunningCall = {
  hangUp(reason: HangUpReason): void
  onLegEvent(event: LegEvent): void
  /** A digit that came by SIP INFO. */
  onInfoDigit(digit: string, durationMs: number): void
  /** Resolves when the call is over, its recording whole, and says how it ended. */
  done: Promise<CallEnd>
}

const ends: Readonly<Record<HangUpReason | 'media_lost' | 'media_failed' | 'transferred', CallEnd>> = {
  api: systemEnds.api,
  shutdown: systemEnds.shutdown,
  max_duration: systemEnds.max_duration,
  media_lost: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'No audio came from the far side',
    hangupBy: 'system',
  },
  media_failed: {
    status: 'failed',
    endReason: 'internal_error',
    endDetail: 'The audio of the call broke off on our side',
    hangupBy: 'system',
  },
  transferred: { status: 'completed', endReason: 'transferred', hangupBy: 'agent' },
}
/** Of a conversation whose call was given away: it ends by itself, or is ended then. */
const LAST_WORDS_MS = 3000

export function runAnswered(parts: AnswerParts, call: Answered): RunningCall {
  const { book, log } = parts
  const { id, sip, leg, agent } = call
  const left = new AbortController()
  /** The call belongs to others now. */
  const given = new AbortController()
  const over = AbortSignal.any([left.signal, given.signal])
  let target: TransferTarget | undefined
  let lastWords: NodeJS.Timeout | undefined
  let ending: CallEnd | undefined // the first reason is the reason

  function end(why: CallEnd): void {
    if (ending) return
    ending = { ...why, endedAt: call.now() }
    left.abort()
    sip.hangUp()
    target?.sip.hangUp()
  }

  const keys = dtmfSender({ leg, sip, audio: call.audio, dtmfMode: call.trunk?.dtmfMode ?? 'auto' })
  const hold = holdMusic(leg, failed)
  const ownNumber = call.direction === 'inbound' ? call.toNumber : call.fromNumber
  const transfers = callTransfers(
    parts,
    { ...call, ownNumber: ownNumber?.startsWith('+') ? ownNumber : null },
    {
      signal: left.signal,
      hold,
      onReferred: () => end(ends.transferred),
      onAnswered: joinWith,
      onLegEvent(event) {
        if (event.type === 'digit' && target) void keys.relay(event.digit, event.by, event.durationMs).catch(failed)
        onMediaTrouble(event)
      },
      onInfoDigit: (digit, ms) => void (target && keys.relay(digit, 'info', ms).catch(failed)),
      onTrouble: failed,
    },
  )
  const transport = legTransport({
    leg,
    keys,
    hold,
    transfer: transfers.transfer,
    isTransferred: () => target !== undefined,
    hangUp: (endReason) => end({ status: 'completed', endReason, hangupBy: 'agent' }),
  })

  /** From here on the two talk to each other; the agent only has to take its leave. */
  function joinWith(answered: TransferTarget): void {
    target = answered
    leg.join(answered.leg)
    void answered.ended.then(() => end({ ...ends.transferred, endDetail: 'The one it was transferred to hung up' }))
    lastWords = setTimeout(leave, LAST_WORDS_MS)
  }

  function leave(): void {
    clearTimeout(lastWords)
    given.abort()
    leg.stopListening()
  }

  function onMediaTrouble(event: LegEvent): void {
    if (event.type === 'media-lost') end(ends.media_lost)
    if (event.type !== 'failed') return
    log.error({ callId: id, problem: event.problem }, 'the media of a call failed')
    end(ends.media_failed)
  }

  function failed(err: unknown): void {
    log.error({ err, callId: id }, 'a step of a call failed')
  }

  const recording = callRecording(parts.recordings, id)
  async function record(info: AnsweredCall): Promise<void> {
    if (!agent.recording || call.device?.recordCalls === false) return
    const { consentNotice } = agent.recording
    if (consentNotice) await parts.announce(info, consentNotice, transport, left.signal)
    if (left.signal.aborted) return
    if (await recording.begin((path) => leg.record(path))) await book.recorded(id, recording)
    else log.error({ callId: id }, 'recording not started: the disk is nearly full')
  }

  async function converse(): Promise<void> {
    await Promise.race([call.acknowledged, call.ended])
    if (left.signal.aborted) return
    const begun = await book.answered(id, call.now())
    if (!begun) return end(ends.api) // hung up through the API while it rang
    if ('problem' in begun) return end(systemEnds[begun.problem])
    const { userId, direction, fromNumber, toNumber } = call
    const info = { callId: id, ...begun, userId, agent, direction, fromNumber, toNumber }
    await record(info).catch(failed)
    if (left.signal.aborted) return
    const ended = await parts.converse(info, transport, over)
    if (target) return leave()
    end(endOfConversation(ended))
  }

  async function run(): Promise<CallEnd> {
    const limitMs = Math.min(parts.maxCallMs, agent.maxDurationMs ?? Number.POSITIVE_INFINITY)
    const timer = setTimeout(() => end(ends.max_duration), limitMs)
    void call.ended.then((wire) => {
      const why =
        target && wire.why === 'bye' ? { ...ends.transferred, hangupBy: 'caller' as const } : endOfAnswered(wire)
      ending ??= { ...why, endedAt: call.now() }
      left.abort()
    })
    const talk = converse().catch((err) => {
      if (left.signal.aborted) return
      failed(err)
      if (target) return leave()
      end(systemEnds.broken)
    })
    await call.ended
    clearTimeout(timer)
    clearTimeout(lastWords)
    await transfers.over()
    await target?.close().catch(failed)
    await leg.close().catch(failed) // a recording is whole before anyone is told that it is there
    await talk
    return { ...(ending ?? ends.api), recording: await recording.outcome() }
  }

  return {
    hangUp: (reason) => end(ends[reason]),
    onLegEvent(event) {
      onMediaTrouble(event)
      if (event.type === 'digit') void target?.keys.relay(event.digit, event.by, event.durationMs).catch(failed)
      if (event.type !== 'recording-failed') return
      recording.failed(event.problem)
      log.error({ callId: id, problem: event.problem }, 'recording failed; the call continues')
    },
    onInfoDigit: (digit, ms) => void target?.keys.relay(digit, 'info', ms).catch(failed),
    done: run(),
  }
}
