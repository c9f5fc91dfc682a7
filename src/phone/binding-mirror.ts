// Mirrors the stored registrations of devices in the registrar's memory: those with the current password of an enabled device count.
import { createHmac, hkdfSync } from 'node:crypto'
import { nowMs } from '../base/time/clock.ts'
import type { Binding, Registrar } from '../sip/registration/registrar.ts'
import type { Directory } from './directory.ts'
import type { Device, StoredBinding } from './ports.ts'

type MirrorParts = {
  registrar: Registrar
  directory: Pick<Directory, 'devices' | 'onChange'>
  secret: string
  /** Removes the rows of an old password, or of a disabled device. */
  revoke: (device: Device) => void
}

export function bindingMirror({ registrar, directory, secret, revoke }: MirrorParts) {
  const credentialOf = fingerprints(secret)
  /** By device and contact; also those of devices that the directory has not read yet. */
  const mirror = new Map<string, Map<string, StoredBinding>>()
  const usernames = new Map<string, string>()
  let devices = new Map<string, Device>()

  /** Sets the registrar's bindings of a device to those of the mirror that have its password. */
  function project(device: Device): void {
    const entries = [...(mirror.get(device.id)?.values() ?? [])].filter(({ binding }) => binding.expiresAt > nowMs())
    const credential = credentialOf(device)
    const valid = device.isDisabled ? [] : entries.filter((entry) => entry.credential === credential)
    // A binding with another password stays in the mirror: it may be the new one, which the directory has not read yet.
    mirror.set(device.id, byContact(entries))
    if (entries.length === 0) mirror.delete(device.id)
    usernames.set(device.id, device.username)
    registrar.set(
      device.username,
      valid.map(({ binding }) => binding),
    )
    if (valid.length < entries.length) revoke(device)
  }

  function projectKnown(ids: Iterable<string>): void {
    for (const id of [...ids]) {
      const device = devices.get(id)
      if (device) project(device)
    }
  }

  directory.onChange(() => {
    devices = new Map(directory.devices().map((device) => [device.id, device]))
    for (const [id, username] of usernames) {
      if (devices.has(id)) continue
      registrar.remove(username)
      usernames.delete(id)
      mirror.delete(id)
      credentialOf.forget(id)
    }
    projectKnown(mirror.keys())
  })

  return {
    credentialOf: (device: Device): string => credentialOf(device),
    device: (id: string): Device | undefined => devices.get(id),

    /** Replaces the bindings of a device that registers here. */
    keep(device: Device, bindings: readonly Binding[]): void {
      const credential = credentialOf(device)
      const before = mirror.get(device.id)
      const entries = bindings.map((binding) => ({
        deviceId: device.id,
        credential,
        binding: withFlow(binding, before),
      }))
      mirror.set(device.id, byContact(entries))
      project(device)
    },

    /** Changed rows; an expired binding was removed. */
    apply(changes: readonly StoredBinding[]): void {
      for (const change of changes) {
        const { deviceId, binding } = change
        const entries = mirror.get(deviceId) ?? new Map<string, StoredBinding>()
        if (binding.expiresAt <= nowMs()) entries.delete(binding.contact)
        else entries.set(binding.contact, { ...change, binding: withFlow(binding, entries) })
        mirror.set(deviceId, entries)
      }
      projectKnown(new Set(changes.map(({ deviceId }) => deviceId)))
    },
  }
}

const byContact = (entries: readonly StoredBinding[]) => new Map(entries.map((entry) => [entry.binding.contact, entry]))

/** Fingerprints of passwords, computed once per password: all registered devices are compared after every change of the directory. */
function fingerprints(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ramal device credential', 32))
  const known = new Map<string, { password: string; credential: string }>()
  function credentialOf({ id, password }: Device): string {
    const last = known.get(id)
    if (last?.password === password) return last.credential
    const credential = createHmac('sha256', key).update(`${id}\n${password}`).digest('hex').slice(0, 32)
    known.set(id, { password, credential })
    return credential
  }
  return Object.assign(credentialOf, { forget: (id: string) => known.delete(id) })
}

/** A row has no connection; the binding in memory that it was written from may have one. */
function withFlow(binding: Binding, before: ReadonlyMap<string, StoredBinding> | undefined): Binding {
  const known = before?.get(binding.contact)?.binding
  const isSame = known?.callId === binding.callId && known.cseq === binding.cseq
  return known && isSame && binding.flow.connection === undefined && !binding.origin ? known : binding
}
