// The cost of a directory reload: unchanged entries are neither resolved nor rebuilt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { Hop } from '../sip/message/message.ts'
import { createDirectory } from './directory.ts'
import type { AddressClaims, Trunk } from './ports.ts'

const aTrunk = (id: string, more: Partial<Trunk>): Trunk => ({
  userId: 'usr',
  id,
  name: id,
  host: null,
  port: null,
  transport: 'udp',
  directions: ['inbound', 'outbound'],
  authMode: 'ip',
  username: null,
  password: null,
  realm: null,
  fromUser: null,
  fromDomain: null,
  outboundProxy: null,
  registerExpires: 300,
  allowedAddresses: [],
  allowedNumbers: [],
  callerId: null,
  codecs: ['PCMA'],
  mediaEncryption: 'disabled',
  dtmfMode: 'auto',
  numberFormat: {},
  sessionTimers: true,
  optionsPing: false,
  priority: 0,
  weight: 1,
  maxConcurrentCalls: null,
  headers: {},
  isActive: true,
  ...more,
})

function open(trunks: () => Trunk[], resolve: (host: string) => Promise<Hop[]>) {
  let version = 0
  const saved = new Map<string, AddressClaims>()
  const directory = createDirectory({
    repository: {
      version: async () => String(++version),
      trunks: async () => trunks().map((trunk) => ({ ...trunk, claims: saved.get(trunk.id) ?? {} })),
      devices: async () => [],
      administrators: async () => [],
      saveAddressClaims: async (_userId, id, claims) => void saved.set(id, claims),
      saveAddressProof: async () => {},
    },
    resolve: ({ host }) => resolve(host),
    secret: 's'.repeat(32),
    log: pino({ level: 'silent' }),
  })
  return directory
}

const at = (address: string): Hop => ({ address, port: 5060, transport: 'udp' })

test('a reload builds no address set and resolves no name again where nothing changed', async () => {
  const ranges = Array.from({ length: 200 }, (_, i) => `198.51.${i}.0/24`)
  let name = 'first'
  const asked: string[] = []
  const trunks = () => [
    aTrunk('ranges', { host: '198.51.100.7', allowedAddresses: ranges }),
    aTrunk('again', { host: '198.51.100.7', allowedAddresses: ranges }),
    aTrunk('named', { host: 'carrier.example', name }),
  ]
  const directory = open(trunks, async (host) => {
    asked.push(host)
    return [at('203.0.113.5')]
  })
  await directory.refresh()
  assert.equal(directory.addressSetsBuilt(), 202, 'each text once, whoever writes it')
  assert.deepEqual(
    directory.claimsAt('198.51.7.9').map(({ trunk }) => trunk.id),
    ['ranges', 'again'],
  )
  for (let i = 0; i < 5; i++) {
    name = `renamed ${i}`
    await directory.refresh()
  }
  assert.equal(directory.addressSetsBuilt(), 202)
  assert.deepEqual(asked, ['carrier.example'])
  assert.equal(directory.trunk('usr', 'named')?.name, 'renamed 4')
})

test('the names of one user are resolved ten at a time, and delay nobody else’s', async () => {
  const slow = Array.from({ length: 60 }, (_, i) => `n${i}.slow.example`)
  let running = 0
  let most = 0
  const over = Promise.withResolvers<void>()
  const trunks = () => [
    aTrunk('slow', { userId: 'mallory', host: 'x.slow.example', allowedAddresses: slow }),
    aTrunk('carrier', { host: 'carrier.example' }),
  ]
  const directory = open(trunks, async (host) => {
    if (!host.endsWith('.slow.example')) return [at('203.0.113.5')]
    most = Math.max(most, ++running)
    await over.promise
    running--
    return []
  })
  await directory.refresh()
  assert.equal(directory.claimsAt('203.0.113.5').length, 1)
  assert.equal(most, 10)
  over.resolve()
})
