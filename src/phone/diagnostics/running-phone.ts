// Diagnoses a trunk with the running phone of the platform.
import { senderOf } from '../ownership.ts'
import type { PhoneCore } from '../phone-core.ts'
import { createDiagnostics, type Diagnose } from './doctor.ts'

export function phoneDiagnostics({ settings, peers, ua, media, live, captures, overload }: PhoneCore): Diagnose {
  const { directory, ownership, resolver } = peers
  return createDiagnostics({
    phone: {
      ua,
      resolver,
      refusalFor: (trunk) => ownership.refusal(senderOf(trunk)),
      unchallengedRefusalFor: (trunk) => ownership.unchallengedRefusal(senderOf(trunk)),
      media,
      settings,
      contactUser: directory.contactUser,
      isStandalone: false,
      async acquireSlot({ userId, id: trunkId, maxConcurrentCalls: trunk }) {
        const text = overload()
        return text ? { text } : live.acquireSlot({ userId, trunkId, deviceId: null }, { trunk })
      },
    },
    captures,
    async trunkOf(userId, trunkId) {
      await directory.refresh()
      return directory.trunk(userId, trunkId)
    },
    dialPolicy: settings.dialPolicy,
  })
}
