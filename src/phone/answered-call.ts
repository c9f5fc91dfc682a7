// An answered call, to its end: the agent speaks and listens, the recorder runs, the limits hold, and the record says how it went.
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import type { LegEvent, MediaLeg } from '../media/leg.ts'
import type { CallEnding, SipCall } from '../sip/call.ts'
import type { AudioSession } from './audio-session.ts'
import { answered as endOfAnswered } from './endings.ts'
import { legTransport } from './leg-transport.ts'
import type { HangUpReason } from './live-calls.ts'
import type { Agent, Announce, AnsweredCall, CallBook, CallEnd, Converse, Device, Trunk } from './ports.ts'

export type AnswerParts = {
  book: CallBook
  converse: Converse
  announce: Announce
  recordingsDir: string
  maxCallMs: number
  /** A number or SIP address as a Refer-To; null when it may not be called. */
  referTarget: (to: string, trunk: Trunk | null) => string | null
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
}

export type RunningCall = {
  hangUp(reason: HangUpReason): void
  onLegEvent(event: LegEvent): void
  /** Resolves when the call is over, its recording whole, and says how it ended. */
  done: Promise<CallEnd>
}

const ends: Readonly<Record<HangUpReason | 'media_lost' | 'media_failed' | 'transferred', CallEnd>> = {
  api: { status: 'completed', endReason: 'canceled_by_api', hangupBy: 'system' },
  shutdown: { status: 'completed', endReason: 'node_shutdown', hangupBy: 'system' },
  max_duration: { status: 'completed', endReason: 'max_duration', hangupBy: 'system' },
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

export function runAnswered(parts: AnswerParts, call: Answered): RunningCall {
  const { book, log } = parts
  const { id, sip, leg, agent } = call
  const left = new AbortController()
  let ending: CallEnd | undefined // the first reason is the reason

  function end(why: CallEnd): void {
    if (ending) return
    ending = why
    left.abort()
    sip.hangUp()
  }

  const transport = legTransport({
    leg,
    sip,
    audio: call.audio,
    dtmfMode: call.trunk?.dtmfMode ?? 'auto',
    referTarget: (to) => parts.referTarget(to, call.trunk),
    onTransfer: () => void book.transferring(id).catch(failed),
    onTransferred: () => end(ends.transferred),
    hangUp: (endReason) => end({ status: 'completed', endReason, hangupBy: 'agent' }),
  })

  function failed(err: unknown): void {
    log.error({ err, callId: id }, 'a step of a call failed')
  }

  async function record(info: AnsweredCall): Promise<void> {
    if (!agent.recording || call.device?.recordCalls === false) return
    const { consentNotice } = agent.recording
    if (consentNotice) await parts.announce(info, consentNotice, transport, left.signal)
    if (left.signal.aborted) return
    const file = `${id}.wav`
    await leg.record(join(parts.recordingsDir, file))
    await book.recorded(id, file)
  }

  async function converse(): Promise<void> {
    const begun = await book.answered(id)
    if (!begun) return end(ends.api) // hung up through the API while it rang
    const { userId, direction, fromNumber, toNumber } = call
    const info = { callId: id, ...begun, userId, agent, direction, fromNumber, toNumber }
    await record(info).catch(failed)
    if (left.signal.aborted) return
    const { endReason, endDetail } = await parts.converse(info, transport, left.signal)
    const how = endReason.endsWith('_error')
      ? ({ status: 'failed', hangupBy: 'system' } as const)
      : ({ status: 'completed', hangupBy: 'agent' } as const)
    end({ ...how, endReason, ...(endDetail ? { endDetail } : {}) })
  }

  async function run(): Promise<CallEnd> {
    const limitMs = Math.min(parts.maxCallMs, agent.maxDurationMs ?? Number.POSITIVE_INFINITY)
    const timer = setTimeout(() => end(ends.max_duration), limitMs)
    void call.ended.then((wire) => {
      ending ??= endOfAnswered(wire)
      left.abort()
    })
    const talk = converse().catch((err) => {
      if (left.signal.aborted) return
      failed(err)
      end({ status: 'failed', endReason: 'internal_error', hangupBy: 'system' })
    })
    await call.ended
    clearTimeout(timer)
    await leg.close().catch(failed) // a recording is whole before anyone is told that it is there
    await talk
    return ending ?? ends.api
  }

  return {
    hangUp: (reason) => end(ends[reason]),
    onLegEvent(event) {
      if (event.type === 'media-lost') end(ends.media_lost)
      if (event.type === 'failed') {
        log.error({ callId: id, problem: event.problem }, 'the media of a call failed')
        end(ends.media_failed)
      }
      if (event.type === 'recording-failed')
        log.error({ callId: id, problem: event.problem }, 'a recording failed; the call goes on')
    },
    done: run(),
  }
}
