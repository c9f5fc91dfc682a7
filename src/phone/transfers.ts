// Call transfers: REFER to the remote system, or a bridge on this server. One at a time; failures are outcomes, not exceptions.
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
  calls: Pick<CallRepository, 'transferring' | 'resumed'>
  /** True for a number or SIP address that the dial policy allows. */
  mayTransfer: (to: string) => boolean
  /** The Refer-To URI of a number or SIP address; null without a trunk to send it through. */
  referTarget: (to: string, trunk: Trunk | null) => string | null
  dialTarget: DialTarget
}

export type TransferHooks = TargetHooks & {
  hold: HoldMusic
  /** The remote system has taken the call over. */
  onReferred(): void
  /** The target is ready to be bridged. */
  onAnswered(target: TransferTarget): void
  onError(error: unknown): void
}

const REFER_MS = 45_000
/** REFER is not supported, or not from us: RFC 3261 sections 21.4.6, 21.4.15 and 21.5.2. */
const unsupportedStatuses = new Set([405, 420, 501])

export function callTransfers(parts: TransferParts, call: HeldCall & { sip: SipCall }, hooks: TransferHooks) {
  const { calls } = parts
  const { signal, hold, onError } = hooks
  let ongoing: Promise<ActOutcome> | undefined

  async function execute(transfer: Transfer): Promise<ActOutcome> {
    const { to, method, whisper, ringTimeoutMs } = transfer
    if (method === 'bridge' || whisper) return bridge(transfer)
    if (isRegisteredHere(call))
      return method === 'refer'
        ? failedWith('REFER is not possible for a phone registered here: what it dials goes to its agent; use bridge')
        : bridge(transfer)
    const target = parts.referTarget(to, call.trunk)
    if (target === null) return method === 'refer' ? failedWith('this call has no trunk for REFER') : bridge(transfer)
    const { status, reason } = await call.sip.refer(target, ringTimeoutMs ?? REFER_MS)
    if (status >= 200 && status < 300) {
      hooks.onReferred()
      return { status: 'connected' }
    }
    if (method === undefined && unsupportedStatuses.has(status)) return bridge(transfer)
    if (signal.aborted) return { status: 'canceled', detail: 'the call is over' }
    return referOutcome(status, reason)
  }

  async function bridge(transfer: Transfer): Promise<ActOutcome> {
    hold.begin(transfer.hold)
    try {
      const target = await parts.dialTarget(call, transfer, hooks)
      if (!('leg' in target)) return target
      if (await introduce(target, transfer, hooks)) {
        hooks.onAnswered(target)
        return { status: 'connected' }
      }
      await target.close()
      return signal.aborted
        ? { status: 'canceled', detail: 'the call is over' }
        : failedWith('the target hung up before the calls were joined')
    } finally {
      hold.end()
    }
  }

  async function run(transfer: Transfer): Promise<ActOutcome> {
    const stored = calls.transferring(call.id).catch(onError)
    let isConnected = false
    try {
      const outcome = await execute(transfer)
      isConnected = outcome.status === 'connected'
      return outcome
    } catch (error) {
      onError(error)
      return failedWith('the call could not be placed')
    } finally {
      // Only after the transfer itself was stored.
      if (!signal.aborted) void stored.then(() => calls.resumed(call.id, isConnected)).catch(onError)
      ongoing = undefined
    }
  }

  return {
    async transfer(transfer: Transfer): Promise<ActOutcome> {
      if (ongoing) return failedWith('another transfer is in progress')
      if (!parts.mayTransfer(transfer.to)) return failedWith('this number may not be called')
      ongoing = run(transfer)
      return ongoing
    },
    /** Resolves when no transfer is in progress. */
    over: async (): Promise<void> => void (await ongoing),
  }
}

/** Whatever a phone registered here dials goes to its agent: after a REFER it would reach the same agent again. */
const isRegisteredHere = ({ trunk, device }: HeldCall) => device !== null && trunk === null

/** The remote system's report about its call, interpreted as if the call were ours. */
function referOutcome(status: number, reason: string): ActOutcome {
  const detail = `${status} ${reason}`.trim()
  if (status < 200) return { status: 'no_answer', detail }
  const end = endOfUnanswered({ by: 'remote', why: 'refused', status })
  return { status: end.status === 'completed' ? 'failed' : end.status, detail }
}
