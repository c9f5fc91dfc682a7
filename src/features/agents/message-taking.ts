// Puts the message taker at the end of an agent's LLM chain, and stores what it takes as a call-back request.

import { EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import { normalizeNumber } from '../../base/phone-numbers/phone-number.ts'
import type { Log } from '../../base/process/log.ts'
import type { ChainLink } from '../../failover/ports.ts'
import { messageTaker, type TakenMessage } from '../../llm/message-taker.ts'
import type { Llm } from '../../voice/ports.ts'
import type { CallbackStore } from '../callbacks/store.ts'

export type MessageTakingParts = {
  callbacks: Pick<CallbackStore, 'request'>
  /** Stores in conversation order, retrying while the database is unavailable. */
  write: (task: () => Promise<unknown>) => Promise<unknown>
  log: Log
}

export type TakingConversation = {
  userId: string
  conversationId: string
  /** Null for a text conversation. */
  callId: string | null
  /** The caller's number as the network sent it; null if withheld. */
  ownNumber: string | null
}

export type MessageTaking = {
  /** The chain with the message taker instead of the rule agent, if there is a model that can fail. */
  links(links: readonly ChainLink<Llm>[]): ChainLink<Llm>[]
  /** Called when the caller leaves or another agent takes over. Resolves once the message so far is stored. */
  end(): Promise<void>
}

/** Shorter numbers are extensions and service numbers, which cannot be called from outside. */
const MIN_DIGITS = 8

/** Lasts for one call, or for one message of a chat. */
export function messageTaking(
  { callbacks, write, log }: MessageTakingParts,
  { userId, conversationId, callId, ownNumber }: TakingConversation,
): MessageTaking {
  let stored: Promise<unknown> = Promise.resolve()

  function onMessage({ name, phoneNumber, matter }: TakenMessage): void {
    const asked = { conversationId, callId, reason: 'no_model', name, phoneNumber, matter } as const
    stored = write(() => callbacks.request(userId, asked)).catch((err) =>
      log.error({ err, conversationId }, 'failed to store call-back request'),
    )
  }

  const taker = messageTaker({
    ownNumber: dialable(ownNumber),
    medium: callId === null ? 'text' : 'voice',
    onMessage,
  })
  return {
    links: (links) =>
      links.some(({ engine }) => engine.isModel)
        ? links.map((link) => (link.id === EMBEDDED_ID ? { ...link, engine: taker } : link))
        : [...links],
    async end() {
      taker.end()
      await stored
    },
  }
}

function dialable(number: string | null): string | null {
  const plain = number === null ? null : normalizeNumber(number)
  return plain !== null && plain.replace(/\D/g, '').length >= MIN_DIGITS ? plain : null
}
