// Giving a call away: by REFER to the far side's own exchange, or by a bridge from here. One at a time; a failure is an outcome.
import type { SipCall } from '../sip/dialog/call.ts'
import type { ActOutcome, Transfer } from '../voice/ports.ts'
import {
  type DialTarget,
  failedWith,
  type HeldCall,
  introduce,
  type TargetHooks,
  type TransferTarget,
} from './bridge.ts'
import { endOfUnanswered } from './endings.ts'
import type { HoldMusic } from './hold-music.ts'
import type { CallRepository, Trunk } from './ports.ts'

export type TransferParts = {
  book: Pick<CallRepository, 'transferring' | 'resumed'>
  /** No number that is denied, and nothing that is neither a number nor a SIP address. */
  mayTransfer: (to: string) => boolean
  /** A number or SIP address as a Refer-To; null where there is no trunk to send it by. */
  referTarget: (to: string, trunk: Trunk | null) => string | null
  dialTarget: DialTarget
}

export type TransferHooks = TargetHooks & {
  hold: HoldMusic
  /** The far side has taken the call elsewhere. */
  onReferred(): void
  /** Both are there: they are to be joined. */
  onAnswered(target: TransferTarget): void
  onTrouble(error: unknown): void
}

const REFER_MS = 45_000
/** The far side does not know REFER, or not from us: RFC 3261 sections 21.4.6, 21.4.15 and 21.5.2. */
const notUnderstood = new Set([405, 420, 501])

export function callTransfers(parts: TransferParts, call: HeldCall & { sip: SipCall }, hooks: TransferHooks) {
  const { book } = parts
  const { signal, hold } = hooks
  let underWay: Promise<ActOutcome> | undefined

  async function give(transfer: Transfer): Promise<ActOutcome> {
    const { to, method, whisper, ringTimeoutMs } = transfer
    if (method === 'bridge' || whisper) return bridge(transfer)
    if (isOurPhone(call))
      return method === 'refer'
        ? failedWith('REFER is not possible for a phone registered here: what it dials goes to its agent; use bridge')
        : bridge(transfer)
    const target = parts.referTarget(to, call.trunk)
    if (target === null)
      return method === 'refer' ? failedWith('this call has no trunk to send it by') : bridge(transfer)
    const { status, reason } = await call.sip.refer(target, ringTimeoutMs ?? REFER_MS)
    if (status >= 200 && status < 300) {
      hooks.onReferred()
      return { status: 'connected' }
    }
    if (method === undefined && notUnderstood.has(status)) return bridge(transfer)
    if (signal.aborted) return { status: 'canceled', detail: 'the call is over' }
    return referOutcome(status, reason)
  }

  async function bridge(transfer: Transfer): Promise<ActOutcome> {
    hold.begin(transfer.hold)
    try {
      const target = await parts.dialTarget(call, transfer, hooks)
      if (!('leg' in target)) return target
      if (await introduce(target, transfer, signal, hooks.onTrouble)) {
        hooks.onAnswered(target)
        return { status: 'connected' }
      }
      await target.close()
      return signal.aborted
        ? { status: 'canceled', detail: 'the call is over' }
        : failedWith('the one who was called hung up before the two were joined')
    } finally {
      hold.end()
    }
  }

  async function run(transfer: Transfer): Promise<ActOutcome> {
    const told = book.transferring(call.id).catch(hooks.onTrouble)
    let isConnected = false
    try {
      const outcome = await give(transfer)
      isConnected = outcome.status === 'connected'
      return outcome
    } catch (error) {
      hooks.onTrouble(error)
      return failedWith('the call could not be placed')
    } finally {
      // After the other word, never before it.
      if (!signal.aborted) void told.then(() => book.resumed(call.id, isConnected)).catch(hooks.onTrouble)
      underWay = undefined
    }
  }

  return {
    async transfer(transfer: Transfer): Promise<ActOutcome> {
      if (underWay) return failedWith('another transfer is under way')
      if (!parts.mayTransfer(transfer.to)) return failedWith('this number may not be called')
      underWay = run(transfer)
      return underWay
    },
    /** Resolves when nothing is left of one that was under way. */
    over: async (): Promise<void> => void (await underWay),
  }
}

/** A phone on our registrar dials by us, and all that it dials goes to its agent: referred, it would come back to the same one. */
const isOurPhone = ({ trunk, device }: HeldCall) => device !== null && trunk === null

/** What the far side reported of its own call: as if it had been ours. */
function referOutcome(status: number, reason: string): ActOutcome {
  const detail = `${status} ${reason}`.trim()
  if (status < 200) return { status: 'no_answer', detail }
  const end = endOfUnanswered({ by: 'remote', why: 'refused', status })
  return { status: end.status === 'completed' ? 'failed' : end.status, detail }
}
