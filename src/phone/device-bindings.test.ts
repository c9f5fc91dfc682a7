// Registrations while the database is down, and those of other nodes, with an in-memory store.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { until } from '../../test/until.ts'
import { newRequest } from '../sip/message/build.ts'
import type { Flow } from '../sip/message/message.ts'
import { type Binding, Registrar } from '../sip/registration/registrar.ts'
import { deviceBindings } from './device-bindings.ts'
import type { BindingStore, Device } from './ports.ts'

const flow = (port: number, connection?: number): Flow => ({
  transport: connection === undefined ? 'udp' : 'tcp',
  remote: { address: '203.0.113.5', port },
  local: { address: '192.0.2.9', port: 5060 },
  ...(connection === undefined ? {} : { connection }),
})

type Rows = Map<string, { credential: string; binding: Binding; version: number; by: string }>

/** The database as two nodes see it. */
function sharedRows() {
  const rows: Rows = new Map()
  const state = { isDown: false, password: 'secret', version: 0, rows }
  const storeOf = (node: string): BindingStore => {
    const check = () => {
      if (state.isDown) throw new Error('connection refused')
    }
    const seen = ({ binding, by }: { binding: Binding; by: string }): Binding => {
      const { connection: _, ...wire } = binding.flow
      const { origin: __, ...rest } = binding
      return { ...rest, flow: wire, ...(by === node ? {} : { origin: by }) }
    }
    return {
      async bindingChanges(version) {
        check()
        const found = [...rows.values()].filter((row) => row.version > version)
        const changes = found.map((row) => ({ deviceId: 'dev', credential: row.credential, binding: seen(row) }))
        return { version: state.version, changes }
      },
      async changeBindings({ password, credential }, judge) {
        check()
        if (password !== state.password) return
        const live = [...rows.values()].filter(({ binding }) => binding.expiresAt > Date.now())
        const before = live.filter((row) => row.credential === credential).map(seen)
        const after = judge(before)
        if (!after) return
        state.version++
        for (const { binding, ...row } of live)
          if (!after.some(({ contact }) => contact === binding.contact))
            rows.set(binding.contact, { ...row, binding: { ...binding, expiresAt: 0 }, version: state.version })
        for (const binding of after)
          if (!before.includes(binding))
            rows.set(binding.contact, { credential, binding, version: state.version, by: node })
      },
      removeLostBindings: async () => check(),
      isRegistered: async () => rows.size > 0,
    }
  }
  return { ...state, state, storeOf }
}

const phone: Device = {
  id: 'dev',
  userId: 'usr',
  username: 'alice',
  password: 'secret',
  name: null,
  phone: null,
  token: 't',
  shortId: 's',
  agentId: null,
  inboundEnabled: true,
  outboundEnabled: true,
  recordCalls: false,
  isDisabled: false,
  maxConcurrentCalls: null,
} as unknown as Device

async function openNode(t: TestContext, repository: BindingStore) {
  const registrar = new Registrar({ sweepEveryMs: 0 })
  t.after(() => registrar.close())
  let device = phone
  const listeners: (() => void)[] = []
  const bindings = deviceBindings({
    registrar,
    directory: { devices: () => [device], onChange: (listener) => void listeners.push(listener) },
    repository,
    secret: 'the same for both',
    log: pino({ level: 'silent' }),
  })
  const reload = (changed: Partial<Device> = {}) => {
    device = { ...device, ...changed }
    for (const listener of listeners) listener()
  }
  reload()
  await bindings.open()
  const register = async (contact: string, cseq: number, more: { callId?: string; flow?: Flow } = {}) => {
    const request = newRequest({
      method: 'REGISTER',
      uri: 'sip:ramal.example',
      from: '<sip:alice@ramal.example>;tag=1',
      to: '<sip:alice@ramal.example>',
      callId: more.callId ?? 'phone-1',
      cseq,
      headers: [['contact', contact]],
    })
    return (await bindings.register(device, request, more.flow ?? flow(40_000))).status
  }
  const contacts = () =>
    registrar
      .lookup('alice')
      .map(({ contact }) => contact)
      .sort()
  return { registrar, bindings, register, contacts, reload, refresh: bindings.refresh }
}

test('another node sees a registration, refuses an older request and accepts a newer one', async (t) => {
  const { storeOf } = sharedRows()
  const [one, two] = [await openNode(t, storeOf('one')), await openNode(t, storeOf('two'))]
  assert.equal(await one.register('<sip:a@1>', 5), 200)
  // Checked against the stored rows, which this node has not read yet.
  assert.equal(await two.register('<sip:a@1>', 4), 500)
  assert.equal(await two.register('<sip:a@1>', 6, { flow: flow(40_001) }), 200)
  assert.deepEqual(
    two.registrar.lookup('alice').map((each) => each.flow.remote.port),
    [40_001],
  )
  await one.refresh()
  assert.deepEqual(
    one.registrar.lookup('alice').map((each) => [each.flow.remote.port, each.origin]),
    [[40_001, 'two']],
  )
  assert.equal(await one.register('<sip:a@1>', 5), 500)
  assert.equal(await one.register('<sip:a@1>;expires=0', 7), 200)
  await two.refresh()
  assert.deepEqual(two.contacts(), [])
})

test('a binding keeps its connection in the process that has it', async (t) => {
  const { storeOf } = sharedRows()
  const [one, two] = [await openNode(t, storeOf('one')), await openNode(t, storeOf('two'))]
  await one.register('<sip:a@1>', 1, { flow: flow(40_000, 7) })
  await one.register('<sip:a@2>', 1, { callId: 'other' })
  await Promise.all([one.refresh(), two.refresh()])
  const connections = (registrar: Registrar) =>
    registrar
      .lookup('alice')
      .filter(({ flow }) => flow.transport === 'tcp')
      .map(({ flow }) => flow.connection)
  assert.deepEqual([connections(one.registrar), connections(two.registrar)], [[7], [undefined]])
})

test('rows that were read before a REGISTER was stored do not undo it', async (t) => {
  const { storeOf } = sharedRows()
  const store = storeOf('one')
  const held = Promise.withResolvers<void>()
  let isHeld = false
  const one = await openNode(t, {
    ...store,
    async bindingChanges(version) {
      const found = await store.bindingChanges(version)
      if (isHeld) await held.promise
      return found
    },
  })
  const two = await openNode(t, storeOf('two'))
  // As phones do on startup: remove old bindings, then register.
  await one.register('<sip:a@1>', 1, { flow: flow(40_000, 6) })
  await one.register('<sip:a@1>;expires=0', 2, { flow: flow(40_000, 7) })
  isHeld = true
  const reading = one.refresh()
  await new Promise((resolve) => setImmediate(resolve)) // the rows are read
  await one.register('<sip:a@1>', 3, { flow: flow(40_000, 7) })
  await two.register('<sip:b@2>', 1, { callId: 'other' })
  held.resolve()
  await reading
  const connections = () => one.registrar.lookup('alice').map((each) => each.flow.connection)
  assert.deepEqual(connections(), [7])
  await one.refresh()
  assert.deepEqual(one.contacts(), ['sip:a@1', 'sip:b@2'], 'and nothing is missed')
  assert.ok(connections().includes(7))
})

test('while the database is away, phones register from memory, and all is stored when it is back', async (t) => {
  const { state, storeOf } = sharedRows()
  const [one, two] = [await openNode(t, storeOf('one')), await openNode(t, storeOf('two'))]
  await one.register('<sip:old@1>', 1, { callId: 'old' })
  await one.register('<sip:a@1>', 1)
  await two.refresh()
  state.isDown = true
  assert.equal(await one.register('<sip:a@1>', 2, { flow: flow(40_002) }), 200)
  assert.equal(await one.register('<sip:a@1>', 2), 500, 'an older request is refused')
  assert.equal(await one.register('<sip:new@1>', 1, { callId: 'new' }), 200)
  assert.equal(await one.register('<sip:old@1>;expires=0', 2, { callId: 'old' }), 200)
  assert.deepEqual(one.contacts(), ['sip:a@1', 'sip:new@1'])
  await assert.rejects(one.refresh())
  state.isDown = false
  await one.refresh()
  await two.refresh()
  assert.deepEqual(two.contacts(), ['sip:a@1', 'sip:new@1'])
  assert.equal(await two.register('<sip:a@1>', 2), 500)
  assert.deepEqual(one.contacts(), ['sip:a@1', 'sip:new@1'])
})

test('a registration that the database never takes keeps the node from no other', async (t) => {
  const { storeOf } = sharedRows()
  let attempts = 0
  const one = await openNode(t, {
    ...storeOf('one'),
    async changeBindings() {
      attempts++
      throw new Error('invalid byte sequence')
    },
  })
  const two = await openNode(t, storeOf('two'))
  assert.equal(await one.register('<sip:a@1>', 1), 200)
  await two.register('<sip:b@2>', 1, { callId: 'other' })
  await one.refresh()
  assert.deepEqual(one.contacts(), ['sip:a@1', 'sip:b@2'])
  for (let i = 0; i < 10; i++) await one.refresh()
  assert.ok(attempts < 6, `${attempts} attempts`)
})

test('a changed password ends registrations on every node, whichever learns of it first', async (t) => {
  const { state, storeOf } = sharedRows()
  const [one, two] = [await openNode(t, storeOf('one')), await openNode(t, storeOf('two'))]
  await one.register('<sip:a@1>', 1)
  await two.refresh()
  state.password = 'new'
  assert.equal(await two.register('<sip:a@1>', 2), 403, 'the old password')
  one.reload({ password: 'new' })
  assert.deepEqual(one.contacts(), [])
  assert.equal(await one.register('<sip:b@1>', 1, { callId: 'again' }), 200)
  // The second node reads the new binding before it learns the new password.
  await two.refresh()
  assert.deepEqual(two.contacts(), [])
  two.reload({ password: 'new' })
  assert.deepEqual(two.contacts(), ['sip:b@1'])
  await one.refresh()
  assert.deepEqual(one.contacts(), ['sip:b@1'])
})

test('a disabled device loses its registrations', async (t) => {
  const { rows, storeOf } = sharedRows()
  const one = await openNode(t, storeOf('one'))
  await one.register('<sip:a@1>', 1)
  one.reload({ isDisabled: true })
  assert.deepEqual(one.contacts(), [])
  await until('its row has expired', () => [...rows.values()].every(({ binding }) => binding.expiresAt === 0))
})

test('stored registrations survive a restart', async (t) => {
  const { storeOf } = sharedRows()
  const one = await openNode(t, storeOf('one'))
  await one.register('<sip:a@1>', 1)
  const restarted = await openNode(t, storeOf('one again'))
  assert.deepEqual(restarted.contacts(), ['sip:a@1'])
})

test('after an outage, connections of other nodes are not searched for before those had time to renew their leases', async (t) => {
  const shared = sharedRows()
  const store = shared.storeOf('one')
  let searches = 0
  const { bindings } = await openNode(t, {
    ...store,
    removeLostBindings: async ({ ofThisNode = false } = {}) => {
      if (!ofThisNode) searches++
    },
  })
  const before = searches
  assert.equal(before, 0, 'nor at the start: the database may just have come back')
  for (let i = 0; i < 8; i++) await bindings.refresh() // the first one ran on opening
  shared.state.isDown = true
  await assert.rejects(bindings.refresh())
  shared.state.isDown = false
  for (let i = 0; i < 9; i++) await bindings.refresh()
  assert.equal(searches, before)
  await bindings.refresh()
  assert.equal(searches, before + 1)
})
