// The queue of device texts: inbound texts are answered by the bound agent, in order per sender, and each answer is sent once.
import type { Log } from '../../base/process/log.ts'
import type { SentText } from './driver-port.ts'

type Text = {
  id: string
  userId: string
  deviceId: string
  key: string
  peer: string
  own: string | null
  text: string
  tries: number
  conversationId: string | null
}
type Device = { id: string; userId: string; agentId: string | null; status: string }

export type TextDeskParts = {
  texts: {
    next(direction: 'in' | 'out', leaseMs: number): Promise<Text | undefined>
    closeLeft(): Promise<void>
    answered(text: Text, answer: string, conversationId: string): Promise<void>
    finish(
      text: Text,
      end: { status: 'kept' | 'sent' | 'failed' | 'in_doubt'; externalId?: string | null; error?: string },
    ): Promise<void>
    tryAgain(text: Text, inMs: number, error: string): Promise<void>
  }
  device(id: string): Promise<Device | undefined>
  /** The agent's answer; null if it has none. Idempotent: the same text gets the same answer, even after a crash. */
  answer(text: Text, agentId: string, signal: AbortSignal): Promise<{ answer: string; conversationId: string } | null>
  send(text: Text): Promise<SentText>
  log: Log
  atOnce?: number
  /** The delay before the first retry. */
  pauseMs?: number
}

const AT_ONCE = 4
/** Longer than an answer or a delivery may take: a worker that has not finished by then is dead. */
const LEASE_MS = 120_000
const MAX_TRIES = 5
const PAUSE_MS = 2000

export function messageQueue(parts: TextDeskParts) {
  const { texts, log, atOnce = AT_ONCE, pauseMs = PAUSE_MS } = parts
  const closing = new AbortController()
  const running = { in: new Set<Promise<void>>(), out: new Set<Promise<void>>() }

  async function again(text: Text, error: string, status: 'failed' | 'in_doubt' = 'failed'): Promise<void> {
    if (text.tries + 1 >= MAX_TRIES) return texts.finish(text, { status, error })
    await texts.tryAgain(text, pauseMs * 4 ** text.tries, error)
  }

  async function answer(text: Text): Promise<void> {
    const device = await parts.device(text.deviceId)
    if (!device?.agentId || device.status === 'disabled') return texts.finish(text, { status: 'kept' })
    try {
      const given = await parts.answer(text, device.agentId, closing.signal)
      if (!given) return await texts.finish(text, { status: 'kept' })
      await texts.answered(text, given.answer, given.conversationId)
    } catch (err) {
      log.warn({ err, deviceId: text.deviceId, textId: text.id }, 'failed to answer device message')
      await again(text, 'The agent could not answer')
    }
  }

  async function send(text: Text): Promise<void> {
    const sent = await parts.send(text)
    if (sent.ok) return texts.finish(text, { status: 'sent', externalId: sent.externalId })
    log.info({ deviceId: text.deviceId, textId: text.id, isDoubtful: sent.isDoubtful }, 'failed to send device message')
    if (sent.isDoubtful && !sent.mayRepeat) return texts.finish(text, { status: 'in_doubt', error: sent.error })
    await again(text, sent.error, sent.isDoubtful ? 'in_doubt' : 'failed')
  }

  async function pump(direction: 'in' | 'out', task: (text: Text) => Promise<void>): Promise<void> {
    const now = running[direction]
    while (now.size < atOnce && !closing.signal.aborted) {
      const text = await texts.next(direction, LEASE_MS)
      if (!text) return
      const done = task(text)
        .catch((err) =>
          log.warn({ err, textId: text.id }, 'device message failed internally; retried when its lease expires'),
        )
        .finally(() => {
          now.delete(done)
          wake()
        })
      now.add(done)
    }
  }

  let isAwake = false
  let isCalled = false
  /** Schedules one round, however often it is called. */
  function wake(): void {
    isCalled = true
    if (isAwake || closing.signal.aborted) return
    isAwake = true
    work()
      .catch((err) => log.warn({ err }, 'device message round failed; retrying'))
      .finally(() => {
        isAwake = false
        if (isCalled) wake()
      })
  }

  async function work(): Promise<void> {
    isCalled = false
    await pump('in', answer)
    await pump('out', send)
  }

  return {
    wake,
    /** Periodic: picks up expired leases and due retries. */
    async tick(): Promise<void> {
      await texts.closeLeft()
      wake()
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled([...running.in, ...running.out])
    },
  }
}
