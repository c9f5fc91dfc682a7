// Supervision of this process's calls, on any channel: listening in, operator messages and transfers.
import { appError } from '../../base/errors/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import type { Converse } from '../../phone/ports.ts'
import { mayTransfer } from '../../phone/transfer-policy.ts'
import { type MonitorMixer, monitorMixer } from '../../rtp/monitor-mixer.ts'
import { LISTEN_HZ } from '../../rtp/monitor-tape.ts'
import { addressOf, type Destination, destinationError } from '../../tool-types/destinations.ts'
import { ringing } from '../../tool-types/hold-music.ts'
import type { ActOutcome, CallAction, Transport } from '../../voice/ports.ts'
import type { AgentSessionControl } from '../agents/port.ts'
import type { CallSupervisor, LiveTransfer } from './live-routes.ts'
import type { Call, TransferOutcome } from './schema.ts'

const RING_MS = 30_000
/** How many calls whose agent has left are remembered. */
const MAX_LEFT = 10_000

type SupervisedCall = {
  act: Transport['act']
  sound: MonitorMixer
  /** Controls the agent that currently has the call; null until it can speak. */
  control: AgentSessionControl | null
  /** A transfer is in progress. */
  isTransferring: boolean
}

export type Supervision = ReturnType<typeof callSupervisor>

export function callSupervisor({ dialPolicy, nodeName }: { dialPolicy: DialPolicy; nodeName: string }) {
  const live = new Map<string, SupervisedCall>()
  const left = new LruCache<string, true>(MAX_LEFT)
  const isCallable = mayTransfer(dialPolicy)

  function find(call: Call): SupervisedCall {
    if (call.endedAt !== null) throw appError('call_ended')
    if (call.answeredAt === null) throw appError('call_not_answered')
    const watched = live.get(call.id)
    if (watched) return watched
    if (left.get(call.id)) throw appError('call_agent_left')
    if (call.nodeId && call.nodeId !== nodeName) throw appError('call_other_node', { node: call.nodeId })
    throw appError('call_not_begun')
  }

  function controlOf(watched: SupervisedCall): AgentSessionControl {
    if (!watched.control) throw appError('call_agent_not_ready')
    return watched.control
  }

  /** Allows one transfer at a time. */
  async function transferring(watched: SupervisedCall, transfer: () => Promise<ActOutcome>): Promise<ActOutcome> {
    watched.isTransferring = true
    try {
      return await transfer()
    } finally {
      watched.isTransferring = false
    }
  }

  /** Checked like a transfer by a tool, with the dial policy of outbound calls. */
  function targetOf(to: string): string {
    const destination: Destination = /^sips?:/i.test(to) ? { type: 'sip', sipUri: to } : { type: 'number', number: to }
    const address = addressOf(destination)
    const problem = destinationError(destination)
    if (problem !== null) throw appError('transfer_target_invalid', { reason: problem })
    if (!isCallable(address)) throw appError('call_number_forbidden')
    return address
  }

  async function transferOut(
    watched: SupervisedCall,
    to: string,
    { method, whisper }: LiveTransfer,
  ): Promise<ActOutcome> {
    const control = controlOf(watched)
    if (!control.suspend()) throw appError('call_agent_leaving')
    const action: CallAction = {
      do: 'transfer',
      to,
      ringTimeoutMs: RING_MS,
      hold: ringing,
      ...(method ? { method } : {}),
      ...(whisper ? { whisper: () => control.speech(whisper) } : {}),
    }
    let outcome: ActOutcome | undefined
    try {
      outcome = await watched.act(action)
      return outcome
    } finally {
      if (!isTransferred(outcome)) control.resume()
    }
  }

  const supervisor: CallSupervisor = {
    async say(call, text, isUrgent) {
      const watched = find(call)
      if (watched.isTransferring) throw appError('call_being_transferred')
      const status = controlOf(watched).say(text, isUrgent)
      if (status === 'refused') throw appError('call_agent_cannot_speak')
      return status
    },
    async transfer(call, order) {
      const watched = find(call)
      const target = order.to === null ? null : targetOf(order.to)
      if (watched.isTransferring) throw appError('call_transfer_running')
      const control = controlOf(watched)
      const { agentId, whisper } = order
      const outcome = await transferring(watched, async () =>
        target === null ? control.handOver(agentId as string, whisper) : transferOut(watched, target, order),
      )
      return outcomeOf(call, outcome)
    },
    checkListener: async (call) => void find(call),
    async listen(call) {
      const listener = find(call).sound.listen()
      if (!listener) throw appError('call_too_many_listeners')
      return listener
    },
    format: { rateHz: LISTEN_HZ, channels: 2, encoding: 'pcm_s16le' },
  }

  return {
    ...supervisor,
    /** From now on, the agent of this call can be controlled. */
    onReady(callId: string, control: AgentSessionControl): void {
      const watched = live.get(callId)
      if (watched) watched.control = control
    },
    supervise:
      (converse: Converse): Converse =>
      async (call, transport, ...more) => {
        const sound = monitorMixer()
        const watched: SupervisedCall = {
          act: (action) => transport.act(action),
          sound,
          control: null,
          isTransferring: false,
        }
        const monitored = sound.watched(transport)
        /** A tool of the agent may also transfer the call. */
        const act: Transport['act'] = (action) => {
          if (action.do !== 'transfer' || watched.isTransferring) return transport.act(action)
          return transferring(watched, () => transport.act(action))
        }
        live.set(call.callId, watched)
        try {
          return await converse(call, { ...monitored, act }, ...more)
        } finally {
          live.delete(call.callId)
          left.set(call.callId, true)
          sound.end()
        }
      },
  }
}

const isTransferred = (outcome: ActOutcome | undefined) => outcome?.status === 'connected' || outcome?.status === 'done'

const outcomeOf = ({ id: callId }: Call, { status, detail }: ActOutcome): TransferOutcome => ({
  callId,
  status,
  detail: detail ?? null,
})
