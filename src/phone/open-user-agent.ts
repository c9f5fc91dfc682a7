// Opens the SIP user agent of the phone: its listeners, and which peers it lets in.
import { readFileSync } from 'node:fs'
import { reportToOwner, runOwned } from '../base/errors/error-containment.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import type { Listener, TraceEvent } from '../sip/stack.ts'
import { createUserAgent } from '../sip/user-agent.ts'
import { plainAddress } from './address-set.ts'
import { createOutOfDialogHandler } from './out-of-dialog.ts'
import type { Peers } from './peers.ts'
import type { PhoneParts, PhoneSettings } from './phone-parts.ts'

export type UserAgentHooks = {
  isDraining: () => boolean
  trace: (event: TraceEvent) => void
  onInvite: (call: InboundCall) => void
}

export async function openUserAgent(
  settings: PhoneSettings,
  parts: Pick<PhoneParts, 'log' | 'onMessage' | 'timers' | 'relay' | 'isDatabaseAway'>,
  { directory, registrar, bindings, ownership, authenticator, banList, resolver, sources }: Peers,
  { isDraining, trace, onInvite }: UserAgentHooks,
) {
  const { log, onMessage, timers, relay } = parts
  const { name } = settings
  try {
    return await createUserAgent({
      ...socketOptions(settings),
      isInside: sources.isProxy,
      proxiedFrom: sources.proxiedFrom,
      resolver: { ...resolver, refusal: ownership.inDialogRefusal },
      userAgentName: name,
      admit: authenticator.admitsFlow,
      ownerOf(flow) {
        const address = plainAddress(flow.remote.address)
        if (sources.isProxy(address)) return 'proxy'
        const [user] = directory.provedUsers(address)
        return user ?? directory.device(registrar.aorFrom(flow) ?? '')?.userId
      },
      isPeerOf(flow, owner) {
        const address = plainAddress(flow.remote.address)
        const isTrunks = directory.claimsAt(address).some(({ trunk }) => trunk.userId === owner)
        return isTrunks || sources.isProxy(address) || registrar.isFrom(flow)
      },
      mayBegin: authenticator.admitsRequest,
      onGarbage({ remote, transport }) {
        const address = plainAddress(remote.address)
        if (!sources.isProxy(address)) banList.recordFailure(address, { isVerified: transport !== 'udp' })
      },
      contain: ({ transport, remote }, disconnect, work) =>
        runOwned({ kind: 'socket', id: `${transport} ${remote.address}:${remote.port}`, log, end: disconnect }, work),
      onFault(err) {
        if (!reportToOwner(err)) log.error({ err }, 'failed to handle SIP message')
      },
      timers,
      relay,
      trace,
      onInvite,
      onRequest: createOutOfDialogHandler({
        authenticator,
        registrar,
        bindings,
        takesCalls: () => !isDraining() && !parts.isDatabaseAway?.(),
        onMessage,
        name,
        log,
      }),
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || code === 'EACCES') throw new Error(portProblem(settings, code), { cause: error })
    throw error
  }
}

const portProblem = ({ host, port, tlsPort }: PhoneSettings, code: string) =>
  `The phone cannot listen on ${host} port ${port}${tlsPort === null ? '' : ` or ${tlsPort}`}: ${
    code === 'EACCES' ? 'permission denied' : 'the port is in use'
  }. Set SIP_PORT to a free port, or to 0 to switch the phone off`

function socketOptions({ host, port, tlsPort, tls, publicAddress }: PhoneSettings) {
  const listeners: Listener[] = [
    { transport: 'udp', host, port },
    { transport: 'tcp', host, port },
  ]
  if (tlsPort !== null) listeners.push({ transport: 'tls', host, port: tlsPort })
  return {
    listeners,
    tls:
      tls && tlsPort !== null
        ? { cert: readFileSync(tls.certFile, 'utf8'), key: readFileSync(tls.keyFile, 'utf8') }
        : undefined,
    publicAddress: publicAddress || undefined,
  }
}
