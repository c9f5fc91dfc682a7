// The provider chains of a call: which provider serves it, the events about failover, and the message taker as the last
// resort.

import type { RetryingWrite } from '../../base/concurrency/retrying-writes.ts'
import type { Log } from '../../base/process/log.ts'
import { llmChain } from '../../failover/llm-chain.ts'
import type { Breakers, ChainEvent, ChainLink } from '../../failover/ports.ts'
import { sttChain } from '../../failover/stt-chain.ts'
import { type TtsChain, ttsChain } from '../../failover/tts-chain.ts'
import type { AnsweredCall } from '../../phone/ports.ts'
import type { Clock, Llm, Stt } from '../../voice/ports.ts'
import type { CallbackStore } from '../callbacks/store.ts'
import type { ChainChange } from '../calls/lifecycle-store.ts'
import type { FindLinks } from '../providers/port.ts'
import { type MessageTaking, messageTaking } from './message-taking.ts'
import type { Agent } from './schema.ts'

export type CallChainsParts = {
  /** Looks up the owner's providers. Called once for each agent of a call, which keeps the result. */
  linksFor: FindLinks
  breakers: Breakers
  /** Stores requests taken by the message taker. Without it, the rule agent is the last resort. */
  callbacks?: Pick<CallbackStore, 'request'>
  /** Stores failover events of the call. */
  saveChainChange?: (callId: string, change: ChainChange) => Promise<void>
  write: RetryingWrite
  log: Log
  clock?: Clock
}

export type CallChains = { llm: Llm; stt: Stt; tts: TtsChain }

/** The providers of one call, across all agents that take part. */
export type CallProviders = {
  chainsFor(agent: Agent): Promise<CallChains>
  /** Set before the first agent is prepared: adds rules that answer without a model in this call. */
  withRules: (links: readonly ChainLink<Llm>[]) => ChainLink<Llm>[]
  /** Called for each use of a provider, for the turn metrics. */
  onServed: (event: Extract<ChainEvent, { type: 'served' }>) => void
  /** Ends the call's providers. Resolves when everything the message taker took is stored. */
  end(): Promise<void>
}

type CallOf = Pick<AnsweredCall, 'callId' | 'userId'> & Partial<AnsweredCall>

export function callProviders(parts: CallChainsParts, call: CallOf): CallProviders {
  const { callId, userId } = call
  const { log } = parts
  const store = (failure: string, task: () => Promise<unknown>) =>
    void parts.write(callId, task).catch((err) => log.warn({ err, callId }, failure))
  const taking = takingOf(parts, call)

  function onEvent(event: ChainEvent): void {
    if (event.type === 'served') {
      providers.onServed(event)
      return
    }
    const { type, kind, to } = event
    const change = event.type === 'degraded' ? { from: event.from, reason: event.reason } : {}
    log.info(
      { callId, kind, to: to.providerId, ...('reason' in change ? { reason: change.reason } : {}) },
      `call ${type}`,
    )
    const { saveChainChange } = parts
    if (saveChainChange)
      store('failed to store provider event', () => saveChainChange(callId, { type, kind, to, ...change }))
  }

  const providers: CallProviders = {
    async chainsFor(agent) {
      const links = await parts.linksFor(userId, agent)
      const { breakers, clock } = parts
      const common = { breakers, onEvent, ...(clock ? { clock } : {}) }
      return {
        llm: llmChain({ ...common, links: providers.withRules(taking?.links(links.llm) ?? links.llm) }),
        stt: sttChain({ ...common, links: links.stt }),
        tts: ttsChain({
          ...common,
          links: links.tts,
          onDefaultVoice: ({ id, engine: { voiceId } }) =>
            log.warn({ callId, providerId: id, voiceId }, 'unknown voice; using the default'),
        }),
      }
    },
    withRules: (links) => [...links],
    onServed: () => {},
    end: () => taking?.end() ?? Promise.resolve(),
  }
  return providers
}

function takingOf({ callbacks, write, log }: CallChainsParts, call: CallOf): MessageTaking | undefined {
  const { callId, userId, conversationId, direction, fromNumber, toNumber } = call
  if (!callbacks || !conversationId) return undefined
  const ownNumber = (direction === 'outbound' ? toNumber : fromNumber) ?? null
  const parts = { callbacks, write: (task: () => Promise<unknown>) => write(callId, task), log }
  return messageTaking(parts, { userId, conversationId, callId, ownNumber })
}
