// Several processes on one PostgreSQL share the trunks: each is registered by one of them, and moves when its node dies
// or drains.
// @run postgres
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { nodeFor } from '../../src/phone/trunk-assignment.ts'
import type { SipRequest } from '../../src/sip/message/message.ts'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { type PhoneService, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

const TRUNKS = 6
/** Enough for lease, renewal and REGISTER on a machine that is busy with other tests. */
const TAKEN_OVER_MS = 30_000

const newEnv = async () => ({
  DATABASE_URL: await newPostgresDatabase(),
  MASTER_KEY: randomBytes(24).toString('hex'),
})

/** A carrier that accepts every registration and lists them by the user part and port of the Contact. */
async function openCarrier(t: TestContext) {
  const registrar = await openByHand(t)
  registrar.onRequest = (request) => registrar.answer(request, 200, { headers: [['expires', '300']] })
  const registers = () =>
    (registrar.all('REGISTER') as SipRequest[]).map((request) => {
      const contact = /<sip:([^@]+)@127\.0\.0\.1:(\d+)/.exec(request.headers.get('contact') ?? '')
      return { user: contact?.[1] ?? '', port: Number(contact?.[2]), expires: Number(request.headers.get('expires')) }
    })
  return {
    port: registrar.port,
    registers,
    /** The port of the node that last registered each trunk. */
    holders: () => new Map(registers().flatMap(({ user, port, expires }) => (expires > 0 ? [[user, port]] : []))),
    /** The ports of the nodes that registered this trunk, without consecutive duplicates. */
    history: (user: string) =>
      registers()
        .filter((each) => each.user === user && each.expires > 0)
        .map(({ port }) => port)
        .filter((port, i, all) => port !== all[i - 1]),
  }
}

/** Adds trunks and returns their keys (`trunkKey`). */
async function addTrunks(service: PhoneService, port: number): Promise<string[]> {
  for (let i = 0; i < TRUNKS; i++) {
    const account = { authMode: 'register', username: `trunk${i}`, password: 's3cret', optionsPing: false }
    const { status } = await service.post('/api/trunks', { name: `c${i}`, host: '127.0.0.1', port, ...account })
    assert.equal(status, 201)
  }
  const database = await openDatabase({ kind: 'postgres', url: service.env.DATABASE_URL ?? '' }, () => {})
  const rows = await database.db.selectFrom('trunks').select(['userId', 'id']).execute()
  await database.close()
  return rows.map(({ userId, id }) => `${userId} ${id}`)
}

/** A node name with which some of the trunks move to the new node and some stay. */
function nameFor(trunks: readonly string[], other: string): string {
  for (let i = 0; ; i++) {
    const nodes = [`node-${i}`, other]
    if (new Set(trunks.map((trunk) => nodeFor(trunk, nodes))).size === 2) return `node-${i}`
  }
}

const joined = (carrier: Awaited<ReturnType<typeof openCarrier>>, ports: readonly number[]) =>
  until(
    'all trunks are registered, by these nodes',
    () => {
      const holders = [...carrier.holders().values()]
      return (
        holders.length === TRUNKS && new Set(holders).size === ports.length && holders.every((p) => ports.includes(p))
      )
    },
    TAKEN_OVER_MS,
  )

if (usesPostgres) {
  test('trunks are spread over two nodes; a node that dies or drains loses them to the others', async (t) => {
    const env = await newEnv()
    const carrier = await openCarrier(t)
    const users = () => [...carrier.holders().keys()]
    const one = await startPhoneService({ ...env, NODE_NAME: 'one' })
    const trunks = await addTrunks(one, carrier.port)
    await joined(carrier, [one.sipPort])
    const two = await startPhoneService({ ...env, NODE_NAME: nameFor(trunks, 'one') }, { key: one.key })
    await joined(carrier, [one.sipPort, two.sipPort])
    // All of them move in one renewal, and their old Contacts are removed together.
    const onTwo = await until('the first node has removed its own Contacts of the trunks that moved', () => {
      const moved = users().filter((user) => carrier.holders().get(user) === two.sipPort)
      const removed = carrier.registers().filter(({ port, expires }) => port === one.sipPort && expires === 0)
      return removed.length === moved.length && removed.every(({ user }) => moved.includes(user)) && moved
    })
    for (const user of users()) {
      const expected = onTwo.includes(user) ? [one.sipPort, two.sipPort] : [one.sipPort]
      assert.deepEqual(carrier.history(user), expected, 'only a trunk that moved has a second node')
    }
    await until('the state is stored', async () =>
      (await two.get('/api/trunks')).every((trunk: { status: string }) => trunk.status === 'registered'),
    )

    await two.kill('SIGKILL')
    await joined(carrier, [one.sipPort])
    for (const user of onTwo) assert.deepEqual(carrier.history(user), [one.sipPort, two.sipPort, one.sipPort])

    const three = await startPhoneService({ ...env, NODE_NAME: nameFor(trunks, 'one') }, { key: one.key })
    await until(
      'the third node has joined',
      () => [...carrier.holders().values()].includes(three.sipPort),
      TAKEN_OVER_MS,
    )
    const exited = one.kill('SIGTERM')
    await joined(carrier, [three.sipPort])
    await exited
    for (const user of users())
      assert.equal(
        carrier.registers().findLast((each) => each.user === user && each.port === one.sipPort)?.expires,
        0,
        'a node that exits removes its Contact',
      )
    await three.kill('SIGTERM')
  })

  test('behind one public address, a node removes the Contact before the next one registers it', async (t) => {
    const env = { ...(await newEnv()), PUBLIC_ADDRESS: '127.0.0.1' }
    const carrier = await openCarrier(t)
    const one = await startPhoneService({ ...env, NODE_NAME: 'one' })
    const trunks = await addTrunks(one, carrier.port)
    await joined(carrier, [one.sipPort])
    const two = await startPhoneService({ ...env, NODE_NAME: nameFor(trunks, 'one') }, { key: one.key })
    await joined(carrier, [one.sipPort, two.sipPort])
    for (const user of carrier.holders().keys()) {
      const all = carrier.registers().filter((each) => each.user === user)
      const first = all.findIndex(({ port }) => port === two.sipPort)
      if (first === -1) continue
      const removed = all.findIndex(({ port, expires }) => port === one.sipPort && expires === 0)
      assert.ok(removed !== -1 && removed < first, 'removed before')
    }
    await one.kill('SIGTERM')
    await joined(carrier, [two.sipPort])
    await two.kill('SIGTERM')
  })
}
