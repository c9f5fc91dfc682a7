// The registrations of devices: rows that all nodes share, mirrored in the registrar's memory. A REGISTER is judged against the rows and stored
// before it is answered; while the database is away, against memory, and stored later.
import { waitAtMost } from '../base/concurrency/abort.ts'
import type { Log } from '../base/process/log.ts'
import { nowMs } from '../base/time/clock.ts'
import { responseTo } from '../sip/message/build.ts'
import type { Flow, SipRequest, SipResponse } from '../sip/message/message.ts'
import type { Binding, Registrar } from '../sip/registration/registrar.ts'
import { bindingMirror } from './binding-mirror.ts'
import type { Directory } from './directory.ts'
import type { BindingStore, Device } from './ports.ts'

/** A phone repeats its REGISTER after half a second, and gives up after 32. */
const STORE_WAIT_MS = 2000
/** Refreshes without a failure before each search for bindings of dead processes: after an outage the nodes renew their leases first. */
const LOST_EVERY = 10
/** How often storing a device may fail while the database works. */
const MAX_FAILURES = 3

export type DeviceBindingsParts = {
  registrar: Registrar
  directory: Pick<Directory, 'devices' | 'onChange'>
  repository: BindingStore
  /** The same in every process and after every restart. */
  secret: string
  log: Log
}

type Failure = { id: string; err: unknown }

export type DeviceBindings = ReturnType<typeof deviceBindings>

export function deviceBindings({ registrar, directory, repository, secret, log }: DeviceBindingsParts) {
  const mirror = bindingMirror({ registrar, directory, secret, revoke })
  const { credentialOf } = mirror
  /** Devices whose bindings could not be stored, and since when. */
  const unsaved = new Map<string, { since: number; failures: number }>()
  /** Devices that registered here since the rows were last asked for. */
  const fresh = new Set<string>()
  let version = 0
  let refreshes = 0
  let isAway = false

  const accountOf = (device: Device) => ({ ...device, deviceId: device.id, credential: credentialOf(device) })

  function revoke(device: Device): void {
    const remaining = (stored: readonly Binding[]) => (device.isDisabled ? [] : stored)
    repository
      .changeBindings(accountOf(device), remaining)
      .catch((err) => log.warn({ err, deviceId: device.id }, 'failed to remove registrations'))
  }

  function keep(device: Device, bindings: readonly Binding[]): void {
    fresh.add(device.id)
    mirror.keep(device, bindings)
  }

  /** Stops at the first failure and returns it. */
  async function saveUnsaved(): Promise<Failure | undefined> {
    for (const [id, entry] of unsaved) {
      const device = mirror.device(id)
      if (device) {
        const change = (stored: readonly Binding[]) => merged(stored, registrar.lookup(device.username), entry.since)
        const failure = await repository.changeBindings(accountOf(device), change).catch((err) => ({ id, err }))
        if (failure) return failure
      }
      if (unsaved.get(id) === entry) unsaved.delete(id) // otherwise it has registered again meanwhile
    }
    return undefined
  }

  /** The database works but refuses this one: it is retried after the others, a few times. */
  function postpone({ id, err }: Failure): void {
    const entry = unsaved.get(id)
    unsaved.delete(id)
    if (!entry) return
    if (entry.failures + 1 < MAX_FAILURES) unsaved.set(id, { ...entry, failures: entry.failures + 1 })
    else log.warn({ err, deviceId: id }, 'registrations of a device cannot be stored; only this node has them')
  }

  async function store(device: Device, request: SipRequest, flow: Flow): Promise<SipResponse | undefined> {
    let planned: ReturnType<Registrar['plan']> | undefined
    const storing = repository.changeBindings(accountOf(device), (stored) => {
      planned = registrar.plan(stored, request, flow)
      return planned.bindings
    })
    const isStored = await waitAtMost(
      STORE_WAIT_MS,
      storing.then(() => true),
    )
    if (!isStored) return undefined // it may still be stored later
    // The password has just been changed on another node, or the device deleted.
    if (!planned) return responseTo(request, 403)
    if (planned.bindings) keep(device, planned.bindings)
    return planned.response
  }

  async function refresh(): Promise<void> {
    const before = refreshes
    refreshes = 0
    const failure = await saveUnsaved()
    fresh.clear()
    const found = await repository.bindingChanges(version)
    if (failure) postpone(failure)
    // The rows of a device that registered meanwhile may be outdated: they are read again.
    const changes = found.changes.filter(({ deviceId }) => !fresh.has(deviceId))
    if (changes.length === found.changes.length) version = found.version
    mirror.apply(changes)
    isAway = false
    refreshes = before + 1
    if (refreshes % LOST_EVERY === 0) await repository.removeLostBindings()
  }

  return {
    credentialOf,

    /** Reads what all nodes have stored; before the phone is used. */
    async open(): Promise<void> {
      // Of this node's last process only: after an outage of the database, other nodes may not have renewed their leases yet.
      await repository.removeLostBindings({ ofThisNode: true })
      await refresh()
    },

    refresh,

    /** The answer to the REGISTER of an authenticated device. */
    async register(device: Device, request: SipRequest, flow: Flow): Promise<SipResponse> {
      if (!isAway) {
        const response = await store(device, request, flow).catch(() => undefined)
        if (response) return response
        isAway = true
        log.warn({ deviceId: device.id }, 'registrations cannot be stored now; retrying')
      }
      const since = nowMs() // not after the time of the binding itself
      const { response, bindings } = registrar.plan(registrar.lookup(device.username), request, flow)
      if (bindings) {
        keep(device, bindings)
        unsaved.set(device.id, { since, failures: 0, ...unsaved.get(device.id) })
      }
      return response
    },
  }
}

/** Requests of one phone are ordered by CSeq: two may come within a millisecond. */
const isNewer = (one: Binding, other: Binding) =>
  one.callId === other.callId ? one.cseq > other.cseq : one.registeredAt >= other.registeredAt

/** The rows of a device with what this process has registered and removed since the database went away. */
function merged(stored: readonly Binding[], memory: readonly Binding[], since: number): Binding[] {
  const own = memory.filter(({ origin, registeredAt }) => origin === undefined && registeredAt >= since)
  const isReplaced = (row: Binding) => own.some((each) => each.contact === row.contact && isNewer(each, row))
  const isRemoved = (row: Binding) =>
    row.registeredAt <= since && !memory.some(({ contact }) => contact === row.contact)
  const kept = stored.filter((row) => !isReplaced(row) && !isRemoved(row))
  return [...kept, ...own.filter((each) => !kept.some(({ contact }) => contact === each.contact))]
}
