// Runs a web call: the browser's connection as runAnsweredCall needs it, and the messages that the browser receives.
import { waitAtMost } from '../base/abort.ts'
import { monotonicMs, steadyClock } from '../base/clock.ts'
import {
  type AnsweredCallParts,
  type CallConnection,
  type CallControl,
  type RunningCall,
  runAnsweredCall,
} from '../phone/answered-call.ts'
import { systemEnds } from '../phone/endings.ts'
import type { Agent, CallEnd, CallGuidance, CallRepository } from '../phone/ports.ts'
import type { AudioClock } from './audio-clock.ts'
import { CallAudio } from './call-audio.ts'
import type { ClientTransport } from './client-transport.ts'
import { visitorMessage } from './visitor-messages.ts'

export type WebCallParts = AnsweredCallParts & {
  calls: Pick<CallRepository, 'answered' | 'recorded' | 'decided' | 'finish'>
  clock: AudioClock
  /** The call ends when the browser sends no audio for this long. */
  lostAfterMs?: number
}

export type NewWebCall = { id: string; userId: string; agent: Agent; isVisitor: boolean; guidance: CallGuidance }

const ends = {
  hangup: { status: 'completed', endReason: 'caller_hangup', hangupBy: 'caller' },
  noAudio: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'No audio received from the browser',
    hangupBy: 'system',
  },
  connectionLost: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'The connection to the browser was lost and not resumed',
    hangupBy: 'system',
  },
  unreachable: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'The browser could not be reached: no ICE candidate pair worked',
    hangupBy: 'system',
  },
} as const satisfies Record<string, CallEnd>

const LOST_AFTER_MS = 30_000
/** The browser is notified of the end once it is stored, or after this long. */
const STORE_WAIT_MS = 2000

const unsupported = {
  digits: 'A browser takes no DTMF digits',
  transfer: 'A web call cannot be transferred to a number',
} as const

export function runWebCall(
  parts: WebCallParts,
  { id: callId, userId, agent, isVisitor, guidance }: NewWebCall,
  given: ClientTransport,
): Pick<RunningCall, 'hangUp' | 'done'> {
  const call = { callId, userId, agent, guidance, direction: 'inbound', fromNumber: null, toNumber: 'web' } as const
  const client = isVisitor ? forVisitor(given) : given
  const onUpdate = client.sendMessage
  const running = runAnsweredCall(parts, { ...call, onUpdate, mayRecord: true, now: steadyClock() }, (control) =>
    webConnection(parts, callId, client, control),
  )

  async function finish(): Promise<CallEnd> {
    const end = await running.done
    const stored = parts.calls.finish(callId, end)
    await waitAtMost(
      STORE_WAIT_MS,
      stored.catch(() => false),
    )
    client.sendMessage({ type: 'ended', endReason: end.endReason })
    client.close()
    await stored
    return end
  }

  return { hangUp: running.hangUp, done: finish() }
}

const forVisitor = (client: ClientTransport): ClientTransport => ({
  ...client,
  sendMessage(message) {
    const shown = visitorMessage(message)
    if (shown) client.sendMessage(shown)
  },
})

function webConnection(
  { clock, lostAfterMs = LOST_AFTER_MS }: WebCallParts,
  callId: string,
  client: ClientTransport,
  { end, onError }: CallControl,
): CallConnection {
  const closed = Promise.withResolvers<void>()
  const audio = new CallAudio({
    ...{ codec: client.codec, payloadType: client.payloadType, outputHz: client.outputHz },
    ...{ bufferMs: client.bufferMs, nowMs: monotonicMs() },
    send: (frame, isTalk) => client.sendAudio(frame, isTalk),
    onCleared: () => client.sendMessage({ type: 'clear' }),
  })
  client.listen({
    onAudio: (packet, nowMs) => audio.put(packet, nowMs),
    onMessage: (message) => (message.type === 'hangup' ? end(ends.hangup) : audio.pushDigit(message.digit)),
    onHangup: () => end(ends.hangup),
    onConnectionLost: () => end(ends.connectionLost),
  })
  const stopClock = clock.add((nowMs, skipped) => {
    try {
      audio.tick(nowMs, skipped)
    } catch (err) {
      onError(err)
      end(systemEnds.broken)
    }
    if (nowMs - audio.heardAtMs > lostAfterMs) end(ends.noAudio)
  })

  return {
    transport: {
      input: audio.input,
      digits: audio.digits,
      play: (source, signal) => audio.play(source, signal),
      volume: (gain) => audio.volume(gain),
      hold: (isHeld) => audio.hold(isHeld),
      async act(action) {
        if (action.do !== 'hangup') return { status: 'failed', detail: unsupported[action.do] }
        end({ status: 'completed', endReason: action.reason, hangupBy: 'agent' })
        return { status: 'done' }
      },
    },
    ready: client.ready.then((isConnected) => (isConnected ? undefined : ends.unreachable)),
    onAnswered(conversationId) {
      const rates = { inputRateHz: client.codec.rateHz, outputRateHz: client.outputHz }
      client.sendMessage({ type: 'started', callId, conversationId, ...rates })
    },
    record: (path, onFailed) => audio.record(path, onFailed),
    hangUp: () => closed.resolve(),
    closed: closed.promise,
    async close() {
      stopClock()
      await audio.close().catch(onError)
    },
  }
}
