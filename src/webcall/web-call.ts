// Runs a web call: the browser's connection as runAnsweredCall needs it, and the messages that the browser receives.
import { waitAtMost } from '../base/concurrency/abort.ts'
import { steadyClock } from '../base/time/clock.ts'
import {
  type AnsweredCallParts,
  type CallConnection,
  type CallControl,
  type RunningCall,
  runAnsweredCall,
} from '../phone/answered-call.ts'
import type { Agent, CallEnd, CallGuidance, CallRepository } from '../phone/ports.ts'
import type { ClientTransport } from './client-transport.ts'
import { visitorMessage } from './visitor-messages.ts'

export type WebCallParts = AnsweredCallParts & {
  calls: Pick<CallRepository, 'answered' | 'recorded' | 'decided' | 'finish'>
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
  mediaFailed: {
    status: 'failed',
    endReason: 'internal_error',
    endDetail: 'The audio of the call failed on this server',
    hangupBy: 'system',
  },
  unreachable: {
    status: 'failed',
    endReason: 'media_timeout',
    endDetail: 'The browser could not be reached: no ICE candidate pair worked',
    hangupBy: 'system',
  },
} as const satisfies Record<string, CallEnd>

/** The browser is told of the end once it is stored, or after this time. */
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
  { log }: WebCallParts,
  callId: string,
  client: ClientTransport,
  { end, onError }: CallControl,
): CallConnection {
  const closed = Promise.withResolvers<void>()
  const { media } = client
  let onRecordingFailed: ((problem: string) => void) | undefined
  client.listen({
    onHangup: () => end(ends.hangup),
    onConnectionLost: () => end(ends.connectionLost),
    onMedia(event) {
      if (event.type === 'media-lost') end(ends.noAudio)
      else if (event.type === 'recording-failed') onRecordingFailed?.(event.problem)
      else if (event.type === 'failed') {
        log.error({ callId, problem: event.problem }, 'call media failed')
        end(ends.mediaFailed)
      }
    },
  })

  return {
    transport: {
      input: media.input,
      listen: (options, sink) => media.listen(options, sink),
      digits: media.digits,
      play: (source, signal) => media.play(source, signal),
      volume: (gain) => media.volume(gain),
      hold: (isHeld) => media.hold(isHeld),
      async act(action) {
        if (action.do !== 'hangup') return { status: 'failed', detail: unsupported[action.do] }
        end({ status: 'completed', endReason: action.reason, hangupBy: 'agent' })
        return { status: 'done' }
      },
    },
    ready: client.ready.then((isConnected) => (isConnected ? undefined : ends.unreachable)),
    onAnswered(conversationId) {
      const rates = { inputRateHz: client.inputHz, outputRateHz: client.outputHz }
      client.sendMessage({ type: 'started', callId, conversationId, ...rates })
    },
    record(path, onFailed) {
      onRecordingFailed = onFailed
      return media.record(path)
    },
    hangUp: () => closed.resolve(),
    closed: closed.promise,
    async close() {
      await media.close().catch(onError)
    },
  }
}
