// The registrations of devices: rows that all nodes share, mirrored in the registrar's memory. A REGISTER is judged against the rows and stored
// before it is answered; while the database is away, against memory, and stored later.
import { createHmac, hkdfSync } from 'node:crypto'
import type { Log } from '../base/process/log.ts'
import { nowMs } from '../base/time/clock.ts'
import { responseTo } from '../sip/message/build.ts'
import type { Flow, SipRequest, SipResponse } from '../sip/message/message.ts'
import type { Binding, Registrar } from '../sip/registrar/registrar.ts'
import type { Directory } from './directory.ts'
import type { BindingStore, Device, StoredBinding } from './ports.ts'

/** A phone repeats its REGISTER after half a second, and gives up after 32. */
const STORE_WAIT_MS = 2000
/** Refreshes without a failure before each search for bindings of dead processes: after an outage the nodes renew their leases first. */
const LOST_EVERY = 10
/** So often a device may fail while the database works. */
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
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ramal device credential', 32))
  const credentials = new Map<string, { password: string; credential: string }>()
  /** Computed once per password: all registered devices are compared after every change of the directory. */
  function credentialOf({ id, password }: Device): string {
    const known = credentials.get(id)
    if (known?.password === password) return known.credential
    const credential = createHmac('sha256', key).update(`${id}\n${password}`).digest('hex').slice(0, 32)
    credentials.set(id, { password, credential })
    return credential
  }
  /** By device and contact; also those of devices that the directory has not read yet. */
  const mirror = new Map<string, Map<string, StoredBinding>>()
  const usernames = new Map<string, string>()
  /** Devices whose bindings could not be stored, and since when. */
  const unsaved = new Map<string, { since: number; failures: number }>()
  /** Devices that registered here since the rows were last asked for. */
  const fresh = new Set<string>()
  let devices = new Map<string, Device>()
  let version = 0
  let refreshes = 0
  let isAway = false

  /** Makes the registrar's bindings of a device those of the mirror that have its password. */
  function project(device: Device): void {
    const entries = [...(mirror.get(device.id)?.values() ?? [])].filter(({ binding }) => binding.expiresAt > nowMs())
    const credential = credentialOf(device)
    const valid = device.isDisabled ? [] : entries.filter((entry) => entry.credential === credential)
    // A binding with another password stays in the mirror: it may be the new one, which the directory has not read yet.
    mirror.set(device.id, new Map(entries.map((entry) => [entry.binding.contact, entry])))
    if (entries.length === 0) mirror.delete(device.id)
    usernames.set(device.id, device.username)
    registrar.set(
      device.username,
      valid.map(({ binding }) => binding),
    )
    if (valid.length < entries.length) revoke(device)
  }

  /** Removes the rows of an old password, or of a disabled device. */
  function revoke(device: Device): void {
    const remaining = (stored: readonly Binding[]) => (device.isDisabled ? [] : stored)
    repository
      .changeBindings({ ...device, deviceId: device.id, credential: credentialOf(device) }, remaining)
      .catch((err) => log.warn({ err, deviceId: device.id }, 'failed to remove registrations'))
  }

  function keep(device: Device, bindings: readonly Binding[]): void {
    const credential = credentialOf(device)
    const before = mirror.get(device.id)
    fresh.add(device.id)
    const entries = bindings.map((binding) => ({ deviceId: device.id, credential, binding: withFlow(binding, before) }))
    mirror.set(device.id, new Map(entries.map((entry) => [entry.binding.contact, entry])))
    project(device)
  }

  directory.onChange(() => {
    devices = new Map(directory.devices().map((device) => [device.id, device]))
    for (const [id, username] of usernames)
      if (!devices.has(id)) {
        registrar.remove(username)
        for (const known of [usernames, mirror, credentials]) known.delete(id)
      }
    for (const id of [...mirror.keys()]) {
      const device = devices.get(id)
      if (device) project(device)
    }
  })

  function apply(changes: readonly StoredBinding[]): void {
    for (const change of changes) {
      const { deviceId, binding } = change
      const entries = mirror.get(deviceId) ?? new Map<string, StoredBinding>()
      if (binding.expiresAt <= nowMs()) entries.delete(binding.contact)
      else entries.set(binding.contact, { ...change, binding: withFlow(binding, entries) })
      mirror.set(deviceId, entries)
    }
    for (const id of new Set(changes.map(({ deviceId }) => deviceId))) {
      const device = devices.get(id)
      if (device) project(device)
    }
  }

  /** Until one fails; returns which, and why. */
  async function saveUnsaved(): Promise<Failure | undefined> {
    for (const [id, entry] of unsaved) {
      const device = devices.get(id)
      if (device) {
        const account = { ...device, deviceId: id, credential: credentialOf(device) }
        const change = (stored: readonly Binding[]) => merged(stored, registrar.lookup(device.username), entry.since)
        const failure = await repository.changeBindings(account, change).catch((err: unknown) => ({ id, err }))
        if (failure) return failure
      }
      if (unsaved.get(id) === entry) unsaved.delete(id) // otherwise it has registered again meanwhile
    }
    return undefined
  }

  /** The database works, and does not take this one: it is tried again after the others, and not for ever. */
  function postpone({ id, err }: Failure): void {
    const entry = unsaved.get(id)
    unsaved.delete(id)
    if (!entry) return
    if (entry.failures + 1 < MAX_FAILURES) unsaved.set(id, { ...entry, failures: entry.failures + 1 })
    else log.warn({ err, deviceId: id }, 'registrations of a device cannot be stored; only this node has them')
  }

  async function store(device: Device, request: SipRequest, flow: Flow): Promise<SipResponse | undefined> {
    let planned: ReturnType<Registrar['plan']> | undefined
    const account = { ...device, deviceId: device.id, credential: credentialOf(device) }
    const storing = repository.changeBindings(account, (stored) => {
      planned = registrar.plan(stored, request, flow)
      return planned.bindings
    })
    const isStored = await within(STORE_WAIT_MS, storing)
    if (!isStored) return undefined
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
    // What was read of a device that registered meanwhile may be older: all of it is read again.
    const changes = found.changes.filter(({ deviceId }) => !fresh.has(deviceId))
    if (changes.length === found.changes.length) version = found.version
    apply(changes)
    isAway = false
    refreshes = before + 1
    if (refreshes % LOST_EVERY === 0) await repository.removeLostBindings()
  }

  return {
    credentialOf,

    /** Reads what all nodes have stored; before the phone is used. */
    async open(): Promise<void> {
      // Of its last process. Other nodes may not have renewed their leases yet, where the database has just come back.
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

const isSameRequest = (one: Binding, other: Binding) =>
  one.contact === other.contact && one.callId === other.callId && one.cseq === other.cseq

/** Of one phone by CSeq: two requests may come within a millisecond. */
const isNewer = (one: Binding, other: Binding) =>
  one.callId === other.callId ? one.cseq > other.cseq : one.registeredAt >= other.registeredAt

/** A row has no connection: the binding in memory that it was written from may have one. */
function withFlow(binding: Binding, before: ReadonlyMap<string, StoredBinding> | undefined): Binding {
  const known = before?.get(binding.contact)?.binding
  return known && binding.flow.connection === undefined && !binding.origin && isSameRequest(known, binding)
    ? known
    : binding
}

/** The rows of a device, and what this process has registered and removed since the database went away. */
function merged(stored: readonly Binding[], memory: readonly Binding[], since: number): Binding[] {
  const own = memory.filter(({ origin, registeredAt }) => origin === undefined && registeredAt >= since)
  const isReplaced = (row: Binding) => own.some((each) => each.contact === row.contact && isNewer(each, row))
  const isRemoved = (row: Binding) =>
    row.registeredAt <= since && !memory.some(({ contact }) => contact === row.contact)
  const kept = stored.filter((row) => !isReplaced(row) && !isRemoved(row))
  return [...kept, ...own.filter((each) => !kept.some(({ contact }) => contact === each.contact))]
}

/** False when it takes longer; it may still be done later. */
function within(ms: number, task: Promise<void>): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  task.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  return promise
}
