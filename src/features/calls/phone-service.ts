// The phone service: SIP and RTP on top of the stores, with trunk diagnostics. Off if no SIP port is set.
import { appError } from '../../base/errors/errors.ts'
import { CHECK_MS, callSlots } from '../../db/call-slots.ts'
import type { Diagnose } from '../../phone/diagnostics/doctor.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import { type Phone, startPhone } from '../../phone/phone.ts'
import type { PhoneParts } from '../../phone/phone-parts.ts'
import type { RelayedMessage } from '../../sip/stack.ts'
import { version } from '../../version.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import type { CallStorage } from './call-storage.ts'
import { type PhoneRepositoryParts, phoneRepository } from './phone-repository.ts'

export type PhoneServiceParts = {
  stores: Stores
  storage: CallStorage
  devices: Pick<PhoneRepositoryParts, 'devices' | 'states'>
  /** The SIP domain of our devices. */
  domain: string
  dialPolicy: DialPolicy
} & Pick<
  PhoneParts,
  'converse' | 'announce' | 'beforeAnswer' | 'recordings' | 'onMessage' | 'ringMs' | 'pingMs' | 'timers'
>

export async function phoneService(context: ServiceContext, parts: PhoneServiceParts) {
  const shared = sharedSlots(context)
  const phone = context.config.phone.port === 0 ? null : await open(context, { ...parts, slots: shared.slots })
  if (phone)
    context.cluster?.handle('sip-message', async ({ from, message }: RelayedRequest) =>
      phone.receiveRelayed(from, message),
    )
  const examine: Diagnose = async (...request) => {
    if (!phone) throw appError('phone_off')
    return phone.diagnose(...request)
  }
  return {
    phone,
    /** Also used by calls without a phone. */
    slots: shared.slots,
    jobs: shared.jobs,
    examine,
    drain: () => phone?.drain(),
    async [Symbol.asyncDispose](): Promise<void> {
      await phone?.close()
      await shared.close()
    },
  }
}

type RelayedRequest = { from: string; message: RelayedMessage }

function open(context: ServiceContext, parts: PhoneServiceParts & Pick<PhoneParts, 'slots'>): Promise<Phone> {
  const { config, db, database, nodeName, masterKey, cluster, log } = context
  const { stores, storage, devices, domain, dialPolicy, ...engine } = parts
  const settings = { ...config.phone, domain, dialPolicy, name: `Ramal/${version}`, secret: masterKey }
  return startPhone(settings, {
    ...engine,
    nodeName,
    repository: phoneRepository({
      db,
      node: { name: nodeName, processId: context.nodes.processId },
      ...stores,
      ...devices,
    }),
    calls: storage.book,
    relay: cluster
      ? async (node, message) => {
          const request: RelayedRequest = { from: nodeName, message }
          return (await cluster.request(node, 'sip-message', request)) as string | null
        }
      : undefined,
    isUnavailable: (err) => database.translate(err)?.kind === 'unavailable',
    isDatabaseAway: database.isAway,
    onRefused: storage.counts.refuse,
    log,
  })
}

/** Call slots shared by several nodes on one database. A process with its own SQLite counts in memory. */
function sharedSlots({ database, db, nodes }: Pick<ServiceContext, 'database' | 'db' | 'nodes'>) {
  if (!database.shared) return { slots: undefined, jobs: [], close: async () => {} }
  const slots = callSlots(db, nodes.processId, { lastOutageMs: database.lastOutageMs })
  return {
    slots,
    jobs: [{ name: 'call slots', everyMs: CHECK_MS, task: slots.check }],
    // Leftover slots (calls that did not end) no longer count once this node's lease is gone.
    close: () => slots.close().catch(() => {}),
  }
}
