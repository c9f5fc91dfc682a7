// Diagnoses a trunk with a separate phone on free ports, without the platform.
import { randomBytes } from 'node:crypto'
import { openMedia } from '../../rtp/pool.ts'
import { createResolver } from '../../sip/transport/resolver.ts'
import { createUserAgent } from '../../sip/user-agent.ts'
import type { PhoneSettings } from '../phone-parts.ts'
import type { Trunk } from '../ports.ts'
import { createDiagnostics, type DiagnosisOptions } from './doctor.ts'
import { messageCaptures } from './message-capture.ts'
import type { Report } from './report.ts'

export type StandaloneSettings = Pick<PhoneSettings, 'host' | 'rtpPorts' | 'publicAddress' | 'dialPolicy' | 'name'>

export async function diagnoseStandalone(
  settings: StandaloneSettings,
  trunk: Trunk,
  options: DiagnosisOptions,
): Promise<Report> {
  const { host, rtpPorts, publicAddress } = settings
  const resolver = createResolver()
  const captures = messageCaptures()
  const contactUser = `t${randomBytes(12).toString('hex')}`
  const media = await openMedia({ host, ports: rtpPorts, workers: 1 })
  const ua = await createUserAgent({
    listeners: [
      { transport: 'udp', host, port: 0 },
      { transport: 'tcp', host, port: 0 },
    ],
    publicAddress: publicAddress || undefined,
    resolver,
    userAgentName: settings.name,
    trace: captures.trace,
    // Calls are for the platform.
    onInvite: (call) => call.refuse(480),
    onRequest: (transaction) => transaction.drop(),
  }).catch(async (error) => {
    await media.close()
    throw error
  })
  try {
    const examine = createDiagnostics({
      phone: {
        ua,
        resolver,
        // A user with a shell may reach whatever this machine reaches.
        refusalFor: () => () => undefined,
        unchallengedRefusalFor: () => () => undefined,
        media,
        settings,
        contactUser: () => contactUser,
        isStandalone: true,
        acquireSlot: async () => ({ release() {} }),
      },
      captures,
      trunkOf: async () => trunk,
      dialPolicy: settings.dialPolicy,
    })
    return await examine(trunk.userId, trunk.id, options)
  } finally {
    await ua.close()
    await media.close()
  }
}
