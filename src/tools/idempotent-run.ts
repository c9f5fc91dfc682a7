// One tool call, done once: written down first, and whoever asks for the same again gets what is written.
import { monotonicMs } from '../base/clock.ts'
import type { Outcome, ToolFunction } from './ports.ts'
import { errorText, keptVariables, type Mask, resultText } from './results.ts'
import type { CallEnd, Caps, NewToolCall, StoredCall, ToolBook } from './tool-run-store.ts'

const LOOK_MS = 200
/** A run that does not heed its signal is given up so much later. */
export const GRACE_MS = 2000
/** What is left after that for writing the end down. */
const WRITE_MS = 10_000

export const leaseMsOf = ({ timeoutMs }: Pick<ToolFunction, 'timeoutMs'>) => timeoutMs + GRACE_MS + WRITE_MS

export const DOUBT =
  'It is not known whether this was done. Do not do it again: say that it could not be confirmed, and offer to check.'

export type Ended = {
  status: StoredCall['status']
  /** For the model. */
  text: string
  /** Only of a run of our own. */
  outcome?: Outcome
  variables?: StoredCall['variables']
  ranMs?: number
}

export type Once = {
  book: ToolBook
  caps: Caps
  offer: Pick<ToolFunction, 'hasEffect' | 'isRepeatable' | 'timeoutMs' | 'isAsync'>
  mask: Mask
  /** Does it, under this id. */
  act(id: string): Promise<Outcome>
  onTrouble(error: unknown): void
  /** Is told of a run that goes on after its answer: the process must not end before it does. */
  watch(run: Promise<unknown>): void
}

const STILL_RUNNING = 'Still running since it was last asked for: the result is not waited for.'

export async function runOnce(once: Once, asked: NewToolCall): Promise<Ended> {
  const { book, caps, offer, onTrouble } = once
  const mayRepeat = offer.isRepeatable || !offer.hasEffect
  try {
    const begun = await book.begin(asked, caps)
    if (begun.state === 'refused') return { status: 'refused', text: begun.error }
    if (begun.state === 'begun') return await actUnder(begun.id)
    if (offer.isAsync && begun.call.status === 'running' && !begun.call.isLeft)
      return { status: 'running', text: STILL_RUNNING }
    const known = await settled(begun.call)
    const isOpen = known.status === 'in_doubt' || known.status === 'running'
    if (isOpen && mayRepeat && (await book.takeOver(known.id, asked.leaseMs))) return await actUnder(known.id)
    return toldAgain(known)
  } catch (error) {
    onTrouble(error)
    return { status: 'failed', text: 'The tool could not be started: its call could not be recorded.' }
  }

  /** Somebody else may be at it: waits for his end, as long as he has. */
  async function settled(call: StoredCall): Promise<StoredCall> {
    const until = monotonicMs() + asked.leaseMs
    let seen = call
    while (seen.status === 'running' && !seen.isLeft && monotonicMs() < until) {
      await new Promise((wake) => setTimeout(wake, LOOK_MS))
      seen = (await book.look(asked.conversationId, call.id)) ?? { ...seen, status: 'failed', error: 'It is gone.' }
    }
    return seen
  }

  async function actUnder(id: string): Promise<Ended> {
    const startedAt = monotonicMs()
    const outcome = await once.act(id).catch(faultOfOurs)
    if (!outcome.ok || !outcome.later) return ended(id, outcome, startedAt)
    once.watch(outcome.later.catch(faultOfOurs).then((last) => ended(id, last, startedAt)))
    return { status: 'running', text: outcome.text, outcome }
  }

  function faultOfOurs(error: unknown): Outcome {
    onTrouble(error)
    return { ok: false, error: 'The tool failed on our side.', isDoubtful: offer.hasEffect }
  }

  async function ended(id: string, outcome: Outcome, startedAt: number): Promise<Ended> {
    const ranMs = Math.round(monotonicMs() - startedAt)
    const end = endOf(outcome, ranMs, offer.hasEffect, once.mask)
    // What was done was done, though it could not be written: the model is told, and the record will say that it is in doubt.
    await book.finish(id, end).catch(onTrouble)
    return { ...toldOf(end), outcome, ranMs }
  }
}

export function endOf(outcome: Outcome, durationMs: number, hasEffect: boolean, mask: Mask): CallEnd {
  if (outcome.ok) {
    const variables = keptVariables(outcome.variables, mask)
    return { status: 'done', result: resultText(outcome.text, mask), error: null, durationMs, variables }
  }
  const status = outcome.isDoubtful && hasEffect ? 'in_doubt' : 'failed'
  return { status, result: null, error: errorText(outcome.error, mask), durationMs, variables: null }
}

const toldOf = ({ status, result, error, variables }: Omit<StoredCall, 'id' | 'isLeft'>): Ended => {
  if (status === 'done') return { status, text: result ?? '', variables }
  const why = error ?? 'The tool failed.'
  return { status, text: status === 'in_doubt' ? `${why} ${DOUBT}` : why }
}

const toldAgain = (known: StoredCall): Ended =>
  known.status === 'running' ? { status: 'in_doubt', text: DOUBT } : toldOf(known)
