// Changes this server's addresses: checked, stored next to the database, effective after the restart that follows.
import { createServer } from 'node:net'
import { Mutex } from '../../base/concurrency/mutex.ts'
import { appError } from '../../base/errors/errors.ts'
import {
  type AddressSetting,
  type PageSettings,
  readPageSettings,
  writePageSettings,
} from '../../config/page-settings.ts'
import { auditor } from '../../db/audit.ts'
import type { ServiceContext } from '../service.ts'
import { addressRoutes } from './address-routes.ts'
import type { Addresses, AddressesPatch } from './address-schema.ts'

const settingOf = {
  host: 'HOST',
  sipHost: 'SIP_HOST',
  publicUrl: 'PUBLIC_URL',
  publicAddress: 'PUBLIC_ADDRESS',
} as const satisfies Record<keyof AddressesPatch, AddressSetting>
const fields = Object.keys(settingOf) as (keyof AddressesPatch)[]

export function addressService({ config, db, log, restart }: ServiceContext) {
  const { addresses, dataDir, database } = config
  const startedAt = new Date().toISOString()
  const writing = new Mutex()
  const inUse = (): Addresses => ({
    host: addresses.HOST,
    sipHost: addresses.SIP_HOST,
    publicUrl: addresses.PUBLIC_URL,
    publicAddress: addresses.PUBLIC_ADDRESS,
    startedAt,
  })

  async function change(patch: AddressesPatch): Promise<Addresses> {
    if (database.kind === 'postgres') throw appError('addresses_of_nodes')
    const changed = fields.filter((field) => patch[field] !== undefined)
    if (changed.length === 0) return inUse()
    for (const field of changed) {
      const name = settingOf[field]
      if (addresses[name].isFixed) throw appError('address_set_outside', { name })
      const isListener = field === 'host' || field === 'sipHost'
      const value = patch[field]
      if (isListener && value && !(await canListen(value))) throw appError('address_not_here', { address: value })
      if (field === 'publicUrl' && value && !URL.canParse(value))
        throw appError('field_expected', { field, expected: 'an http or https address' })
    }
    await writing.lock()
    try {
      await writePageSettings(dataDir, withChanges(readPageSettings(dataDir), patch))
    } finally {
      writing.unlock()
    }
    log.info({ settings: changed.map((field) => settingOf[field]) }, 'addresses changed: restarting')
    restart.resolve()
    return inUse()
  }

  return addressRoutes(inUse, change, auditor(db))
}

function withChanges(settings: PageSettings, patch: AddressesPatch): PageSettings {
  const changed = fields.flatMap((field) => (patch[field] === undefined ? [] : [[settingOf[field], patch[field]]]))
  const merged: Record<string, string | null> = { ...settings, ...Object.fromEntries(changed) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value))
}

/** Whether the machine has this address. */
async function canListen(host: string): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false))
  server.listen({ host, port: 0 }, () => server.close(() => resolve(true)))
  return promise
}
