// Watching the calls of this process, whatever carries them: who listens in, what an operator has an agent say, and to whom he gives a call.

import type { CallSupervisor, LiveTransfer } from '../../api/calls/live-routes.ts'
import type { Call, TransferOutcome } from '../../api/calls/schema.ts'
import type { DialPolicy } from '../../base/dial-policy.ts'
import { AppError } from '../../base/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Converse } from '../../phone/ports.ts'
import { mayTransfer } from '../../phone/transfer-policy.ts'
import { type CallSound, LISTEN_HZ, monitorMixer } from '../../rtp/monitor-mixer.ts'
import { addressOf, type Destination, mistakeIn } from '../../tools/destinations.ts'
import { ringing } from '../../tools/hold-music.ts'
import type { ActOutcome, CallAction, Transport } from '../../voice/ports.ts'
import type { AgentSessionControl } from '../agents/port.ts'

const RING_MS = 30_000
/** Of calls whose agent has left so many are known as such. */
const MAX_LEFT = 10_000

type Watched = {
  act: Transport['act']
  sound: CallSound
  /** Of the agent that has the call now; null until it can speak. */
  lead: AgentSessionControl | null
  /** It is being given to somebody else, by whomever. */
  isMoving: boolean
}

export type Supervision = ReturnType<typeof callSupervisor>

export function callSupervisor({ dialPolicy, nodeName }: { dialPolicy: DialPolicy; nodeName: string }) {
  const live = new Map<string, Watched>()
  const left = new LruCache<string, true>(MAX_LEFT)
  const isCallable = mayTransfer(dialPolicy)

  function find(call: Call): Watched {
    if (call.endedAt !== null) throw conflict('This call has ended')
    if (call.answeredAt === null) throw conflict('This call has not been answered yet')
    const watched = live.get(call.id)
    if (watched) return watched
    if (left.get(call.id)) throw conflict('The agent has left this call: others talk to each other in it')
    if (call.nodeId && call.nodeId !== nodeName)
      throw new AppError('unavailable', `Another node (${call.nodeId}) runs this call: ask that one`)
    throw new AppError('unavailable', 'The conversation of this call has not begun yet')
  }

  function led(watched: Watched): AgentSessionControl {
    if (!watched.lead) throw conflict('The agent of this call is not ready yet')
    return watched.lead
  }

  /** While something moves the call, nobody else does. */
  async function moving(watched: Watched, move: () => Promise<ActOutcome>): Promise<ActOutcome> {
    watched.isMoving = true
    try {
      return await move()
    } finally {
      watched.isMoving = false
    }
  }

  /** The same checks as for a transfer by a tool; what may not be called is refused as for an outbound call. */
  function targetOf(to: string): string {
    const destination: Destination = /^sips?:/i.test(to) ? { type: 'sip', sipUri: to } : { type: 'number', number: to }
    const address = addressOf(destination)
    const problem = mistakeIn(destination)
    if (problem !== null) throw new AppError('invalid', `to: ${problem}`)
    if (!isCallable(address)) throw new AppError('forbidden', 'Calls to this number are not allowed')
    return address
  }

  async function giveAway(watched: Watched, to: string, { method, whisper }: LiveTransfer): Promise<ActOutcome> {
    const lead = led(watched)
    if (!lead.suspend()) throw conflict('The agent is leaving this call')
    const action: CallAction = {
      do: 'transfer',
      to,
      ringTimeoutMs: RING_MS,
      hold: ringing,
      ...(method ? { method } : {}),
      ...(whisper ? { whisper: () => lead.speech(whisper) } : {}),
    }
    let outcome: ActOutcome | undefined
    try {
      outcome = await watched.act(action)
      return outcome
    } finally {
      if (!isGiven(outcome)) lead.resume()
    }
  }

  const desk: CallSupervisor = {
    say(call, text, isUrgent) {
      const watched = find(call)
      if (watched.isMoving) throw conflict('This call is being transferred')
      const status = led(watched).say(text, isUrgent)
      if (status === 'refused') throw conflict('The agent can say nothing more now: it is leaving, or too much waits')
      return status
    },
    async transfer(call, order) {
      const watched = find(call)
      const target = order.to === null ? null : targetOf(order.to)
      if (watched.isMoving) throw conflict('A transfer of this call is under way')
      const lead = led(watched)
      const { agentId, whisper } = order
      const outcome = await moving(watched, async () =>
        target === null ? lead.handOver(agentId as string, whisper) : giveAway(watched, target, order),
      )
      return outcomeOf(call, outcome)
    },
    checkListener: (call) => void find(call),
    listen(call) {
      const listener = find(call).sound.listen()
      if (!listener) throw conflict('Too many listen to this call already')
      return listener
    },
    format: { rateHz: LISTEN_HZ, channels: 2, encoding: 'pcm_s16le' },
  }

  return {
    ...desk,
    /** The agent that speaks in a call tells how it can be led. */
    onReady(callId: string, lead: AgentSessionControl): void {
      const watched = live.get(callId)
      if (watched) watched.lead = lead
    },
    supervise:
      (converse: Converse): Converse =>
      async (call, transport, ...more) => {
        const sound = monitorMixer()
        const watched: Watched = { act: (action) => transport.act(action), sound, lead: null, isMoving: false }
        const overheard = sound.watched(transport)
        /** A tool of the agent may give the call away too. */
        const act: Transport['act'] = (action) => {
          if (action.do !== 'transfer' || watched.isMoving) return transport.act(action)
          return moving(watched, () => transport.act(action))
        }
        live.set(call.callId, watched)
        try {
          return await converse(call, { ...overheard, act }, ...more)
        } finally {
          live.delete(call.callId)
          left.set(call.callId, true)
          sound.end()
        }
      },
  }
}

const conflict = (message: string) => new AppError('conflict', message)
const isGiven = (outcome: ActOutcome | undefined) => outcome?.status === 'connected' || outcome?.status === 'done'

const outcomeOf = ({ id: callId }: Call, { status, detail }: ActOutcome): TransferOutcome => ({
  callId,
  status,
  detail: detail ?? null,
})
