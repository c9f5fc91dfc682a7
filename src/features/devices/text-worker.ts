// Works through the queues of device texts: the bound agent answers inbound texts, in order per sender, and each answer
// is sent once.
import { coalesced } from '../../base/concurrency/coalesced.ts'
import type { Log } from '../../base/process/log.ts'
import type { DeviceRow } from '../../db/tables.ts'
import type { SentText } from './driver-port.ts'
import type { ClaimedText, DeviceTexts } from './text-queue.ts'

type WorkerParts = {
  texts: DeviceTexts
  device(id: string): Promise<DeviceRow | undefined>
  /** The agent's answer; null if it has none. Idempotent: the same text gets the same answer, even after a crash. */
  answer(
    text: ClaimedText,
    agentId: string,
    signal: AbortSignal,
  ): Promise<{ answer: string; conversationId: string } | null>
  send(text: ClaimedText): Promise<SentText>
  log: Log
  /** The delay before the first retry. */
  pauseMs: number | undefined
}

const AT_ONCE = 4
/** Longer than any answer or delivery takes: a worker that has not finished by then is dead. */
const LEASE_MS = 120_000
const MAX_TRIES = 5
const PAUSE_MS = 2000

export function textWorker({ texts, device, answer, send, log, pauseMs = PAUSE_MS }: WorkerParts) {
  const closing = new AbortController()
  const running = { in: new Set<Promise<void>>(), out: new Set<Promise<void>>() }

  async function retry(text: ClaimedText, error: string, status: 'failed' | 'in_doubt' = 'failed'): Promise<void> {
    if (text.tries + 1 >= MAX_TRIES) return texts.finish(text, { status, error })
    await texts.tryAgain(text, pauseMs * 4 ** text.tries, error)
  }

  async function answerOne(text: ClaimedText): Promise<void> {
    const { agentId, status } = (await device(text.deviceId)) ?? {}
    if (!agentId || status === 'disabled') return texts.finish(text, { status: 'kept' })
    try {
      const given = await answer(text, agentId, closing.signal)
      if (!given) return await texts.finish(text, { status: 'kept' })
      await texts.answered(text, given.answer, given.conversationId)
    } catch (err) {
      log.warn({ err, deviceId: text.deviceId, textId: text.id }, 'failed to answer device message')
      await retry(text, 'The agent could not answer')
    }
  }

  async function sendOne(text: ClaimedText): Promise<void> {
    const sent = await send(text)
    if (sent.ok) return texts.finish(text, { status: 'sent', externalId: sent.externalId })
    log.info({ deviceId: text.deviceId, textId: text.id, isDoubtful: sent.isDoubtful }, 'failed to send device message')
    if (sent.isDoubtful && !sent.mayRepeat) return texts.finish(text, { status: 'in_doubt', error: sent.error })
    await retry(text, sent.error, sent.isDoubtful ? 'in_doubt' : 'failed')
  }

  async function pump(direction: 'in' | 'out', task: (text: ClaimedText) => Promise<void>): Promise<void> {
    const now = running[direction]
    while (now.size < AT_ONCE && !closing.signal.aborted) {
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

  const rounds = coalesced(async () => {
    await pump('in', answerOne)
    await pump('out', sendOne)
  })
  function wake(): void {
    if (!closing.signal.aborted) rounds.run().catch((err) => log.warn({ err }, 'device message round failed; retrying'))
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
