// The SIP connection of an answered call: media leg, DTMF, hold music, transfers and the bridge to a transfer target.
import type { LegEvent, MediaLeg } from '../rtp/leg.ts'
import type { CallEnding, SipCall } from '../sip/dialog/call.ts'
import {
  type AnsweredCallOptions,
  type AnsweredCallParts,
  type CallConnection,
  type CallControl,
  type RunningCall,
  runAnsweredCall,
} from './answered-call.ts'
import type { AudioSession } from './audio-session.ts'
import type { TransferTarget } from './bridge.ts'
import { type DigitSource, type DtmfSender, dtmfSender } from './dtmf.ts'
import { endOfAnswered } from './endings.ts'
import { holdMusic } from './hold-music.ts'
import { legTransport } from './leg-transport.ts'
import type { CallEnd, Device, Trunk } from './ports.ts'
import { callTransfers, type TransferParts } from './transfers.ts'

export type SipCallParts = AnsweredCallParts & TransferParts

export type AnsweredSipCall = Omit<AnsweredCallOptions, 'callId' | 'mayRecord'> & {
  id: string
  trunk: Trunk | null
  device: Device | null
  sip: SipCall
  leg: MediaLeg
  audio: AudioSession
  ended: Promise<CallEnding>
  /** The ACK to our answer. Until it arrives, the source of the INVITE may be spoofed. */
  acknowledged?: Promise<void>
}

export type SipConnection = CallConnection & {
  onLegEvent(event: LegEvent): void
  onInfoDigit(digit: string, durationMs: number): void
}

const ends = {
  mediaLost: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'No audio received from the remote side',
    hangupBy: 'system',
  },
  mediaFailed: {
    status: 'failed',
    endReason: 'internal_error',
    endDetail: 'The audio of the call failed on this server',
    hangupBy: 'system',
  },
  transferred: { status: 'completed', endReason: 'transferred', hangupBy: 'agent' },
} as const satisfies Readonly<Record<string, CallEnd>>

/** How long the agent may keep speaking after its caller was bridged. */
const DETACH_MS = 3000

export function runSipCall(parts: SipCallParts, call: AnsweredSipCall): RunningCall<SipConnection> {
  const { id: callId, userId, agent, direction, fromNumber, toNumber, guidance, now } = call
  const mayRecord = call.device?.recordCalls !== false
  const options = { callId, userId, agent, direction, fromNumber, toNumber, mayRecord, now, guidance }
  return runAnsweredCall(parts, options, (control) => sipConnection(parts, call, control))
}

function sipConnection(parts: SipCallParts, call: AnsweredSipCall, control: CallControl): SipConnection {
  const { sip, leg } = call
  const { end, onError, signal } = control
  const detached = new AbortController()
  let target: TransferTarget | undefined
  let detachTimer: NodeJS.Timeout | undefined
  let onRecordingFailed: ((problem: string) => void) | undefined

  const dtmf = dtmfSender({ leg, sip, audio: call.audio, dtmfMode: call.trunk?.dtmfMode ?? 'auto' })
  const hold = holdMusic(leg, onError)
  const relay = (to: DtmfSender | undefined, digit: string, by: DigitSource, durationMs: number) =>
    void to?.relay(digit, by, durationMs).catch(onError)
  const ownNumber = call.direction === 'inbound' ? call.toNumber : call.fromNumber
  const transfers = callTransfers(
    parts,
    { ...call, ownNumber: ownNumber?.startsWith('+') ? ownNumber : null },
    {
      signal,
      hold,
      onReferred: () => end(ends.transferred),
      onAnswered: bridgeTo,
      onLegEvent: (event) => onLegEvent(event, target && dtmf),
      onInfoDigit: (digit, durationMs) => relay(target && dtmf, digit, 'info', durationMs),
      onError,
    },
  )

  function bridgeTo(answered: TransferTarget): void {
    target = answered
    leg.join(answered.leg)
    void answered.ended.then(() => end({ ...ends.transferred, endDetail: 'The transfer target hung up' }))
    detachTimer = setTimeout(detach, DETACH_MS)
  }

  function detach(): void {
    clearTimeout(detachTimer)
    detached.abort()
    leg.stopListening()
  }

  function onLegEvent(event: LegEvent, digitsTo: DtmfSender | undefined): void {
    if (event.type === 'digit') relay(digitsTo, event.digit, event.by, event.durationMs)
    if (event.type === 'media-lost') end(ends.mediaLost)
    if (event.type !== 'failed') return
    parts.log.error({ callId: call.id, problem: event.problem }, 'call media failed')
    end(ends.mediaFailed)
  }

  void call.ended.then((wire) => {
    const isBridgedBye = target !== undefined && wire.why === 'bye'
    end(isBridgedBye ? { ...ends.transferred, hangupBy: 'caller' } : endOfAnswered(wire))
  })

  return {
    transport: legTransport({
      leg,
      dtmf,
      hold,
      transfer: transfers.transfer,
      isTransferred: () => target !== undefined,
      hangUp: (endReason) => end({ status: 'completed', endReason, hangupBy: 'agent' }),
    }),
    ready: Promise.race([call.acknowledged, call.ended]).then(() => undefined),
    record(path, onFailed) {
      onRecordingFailed = onFailed
      return leg.record(path)
    },
    agentSignal: detached.signal,
    detachAgent() {
      if (target) detach()
      return target !== undefined
    },
    hangUp() {
      sip.hangUp()
      target?.sip.hangUp()
    },
    closed: call.ended,
    async close() {
      clearTimeout(detachTimer)
      await transfers.over()
      await target?.close().catch(onError)
      await leg.close().catch(onError)
    },
    onLegEvent(event) {
      onLegEvent(event, target?.dtmf)
      if (event.type === 'recording-failed') onRecordingFailed?.(event.problem)
    },
    onInfoDigit: (digit, durationMs) => relay(target?.dtmf, digit, 'info', durationMs),
  }
}
