// The phone: SIP user agent, media threads, trunks, devices and live calls behind one interface.
import { waitAtMost } from '../base/concurrency/abort.ts'
import { every } from '../base/time/timer.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import type { RelayedMessage } from '../sip/stack.ts'
import { callHandlers } from './call-handlers.ts'
import type { Diagnose } from './diagnostics/doctor.ts'
import { phoneDiagnostics } from './diagnostics/running-phone.ts'
import { openCore } from './phone-core.ts'
import type { PhoneParts, PhoneSettings } from './phone-parts.ts'
import type { DialRequest } from './ports.ts'
import { messageSender } from './sip-messages.ts'
import { trunkMonitor } from './trunk-monitor.ts'

const REFRESH_MS = 1000
const PING_MS = 30_000
/** How long closing waits for the rows of the calls that it ends. */
const FINISH_MS = 5000

export type Phone = Awaited<ReturnType<typeof startPhone>>

export async function startPhone(settings: PhoneSettings, parts: PhoneParts) {
  const { log } = parts
  const tasks = taskSet()
  let isDraining = false
  let accept = async (call: InboundCall): Promise<void> => call.refuse(503)
  const core = await openCore(settings, parts, {
    isDraining: () => isDraining,
    onInvite: (call) => void tasks.add(accept(call)),
  })
  const { peers, ua, live } = core
  const { directory, bindings } = peers
  const { onInvite, dial } = callHandlers(core)
  accept = onInvite

  await directory.refresh()
  await bindings.open()
  const trunks = trunkMonitor({
    ...peers,
    ua,
    repository: parts.repository,
    nodeName: parts.nodeName,
    pingMs: parts.pingMs ?? PING_MS,
    log,
    // Several nodes may be behind one public address, that of a proxy.
    hasOwnContact: settings.publicAddress === null,
  })
  const refresh = () => directory.refresh().then(bindings.refresh)
  const refreshing = every(REFRESH_MS, refresh, (err) => log.warn({ err }, 'failed to read trunks and registrations'))
  const diagnoseTrunk = phoneDiagnostics(core)
  const diagnose: Diagnose = async (userId, trunkId, options) => {
    const report = await diagnoseTrunk(userId, trunkId, options)
    trunks.refresh({ userId, id: trunkId })
    return report
  }
  log.info({ listeners: ua.stack.listeners, maxCalls: live.maxCalls }, 'phone started')

  return {
    dial: (request: DialRequest): Promise<void> => tasks.add(dial(request)),
    /** Hangs up a call of this process. Its row is the caller's responsibility. */
    hangUp: (callId: string): void => live.get(callId)?.hangUp('api'),
    /** Sends a SIP MESSAGE to a registered device. */
    sendMessage: messageSender({
      ua,
      device: (id) => directory.devices().find((device) => device.id === id),
      bindingsOf: peers.bindingsOf,
      domain: settings.domain,
    }),
    /** A SIP message that another node relays. */
    receiveRelayed: (node: string, message: RelayedMessage): string | null => ua.stack.receiveRelayed(node, message),
    diagnose,
    live,
    /** Why new calls must be refused now. */
    overload: core.overload,
    ua,
    directory,
    registrar: peers.registrar,
    media: core.media,
    refresh: directory.refresh,
    /** Refuses new calls; running calls continue. */
    drain(): void {
      isDraining = true
      trunks.drain()
    },
    /** Waits `graceMs` for calls to end by themselves, then hangs up the rest. */
    async close(graceMs = 0): Promise<void> {
      isDraining = true
      await waitAtMost(graceMs, live.empty())
      for (const call of live.all()) call.hangUp('shutdown')
      await waitAtMost(FINISH_MS, tasks.settled())
      await refreshing.stop()
      await trunks.close()
      await core.close()
    },
  }
}

/** Calls in progress, each until its final write is done. */
function taskSet() {
  const tasks = new Set<Promise<void>>()
  return {
    add(task: Promise<void>): Promise<void> {
      const tracked = task.finally(() => tasks.delete(tracked))
      tasks.add(tracked)
      return tracked
    },
    settled: () => Promise.allSettled(tasks),
  }
}
