// Registrations over real sockets: our client on one end, our registrar with digest on the other.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openAgent } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import { digestServer } from '../auth/digest-server.ts'
import { responseTo } from '../message/build.ts'
import type { TransportName } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import type { ServerTransaction } from '../stack.ts'
import { Registrar } from './registrar.ts'
import { type RegistrationState, startRegistration } from './registration.ts'

const listeners = (['udp', 'tcp'] as const).map((transport) => ({ transport, host: '127.0.0.1', port: 0 }))

/** A carrier with one account. */
async function openCarrier(t: TestContext) {
  const registrar = new Registrar({ minExpires: 60 })
  t.after(() => registrar.close())
  const digest = digestServer({ realm: 'carrier' })
  const passwordOf = (name: string) => (name === 'trunk' ? 'secret' : undefined)
  const answer = async (transaction: ServerTransaction) => {
    const { request, flow } = transaction
    const source = flow.remote.address
    const verdict = await digest.verify(request, source, passwordOf)
    if (verdict.ok) return transaction.respond(registrar.register(verdict.username, request, flow))
    const isStale = verdict.why === 'stale' || verdict.why === 'replayed'
    const headers = digest.challenge(request, isStale, source).map((text) => ['www-authenticate', text] as const)
    transaction.respond(responseTo(request, 401, undefined, { headers }))
  }
  const agent = await openAgent(t, { listeners, onRequest: (transaction) => void answer(transaction) })
  return { agent, registrar }
}

async function openTrunk(t: TestContext, uri: string, password = 'secret', expiresSeconds = 600) {
  const agent = await openAgent(t, { listeners })
  const states: RegistrationState[] = []
  const { host, port, params } = parseUri(uri) ?? assert.fail(uri)
  const registration = startRegistration({
    ua: agent.ua,
    aor: '<sip:trunk@carrier.example>',
    registrarUri: `sip:${host}:${port}${params.has('transport') ? `;transport=${params.get('transport')}` : ''}`,
    credentials: { username: 'trunk', password },
    contactUser: 'trunk-7',
    expiresSeconds,
    onState: (state) => states.push(state),
    requestTimeoutMs: 2000,
  })
  t.after(() => registration.stop())
  const reaches = (status: string) => until(status, () => states.findLast((state) => state.status === status))
  return { agent, states, registration, reaches }
}

for (const transport of ['udp', 'tcp'] satisfies TransportName[])
  test(`over ${transport}: challenged, registered, refreshed, and gone at the end`, async (t) => {
    const { agent: carrier, registrar } = await openCarrier(t)
    const { agent, registration, states, reaches } = await openTrunk(t, carrier.uri(transport))
    const registered = await reaches('registered')
    assert.equal(registered.sipCode, 200)
    const [binding] = registrar.lookup('trunk')
    assert.equal(parseUri(binding?.target ?? '')?.user, 'trunk-7')
    assert.equal(binding?.flow.transport, transport)
    assert.deepEqual(agent.ladder(), ['out REGISTER', 'in 401', 'out REGISTER', 'in 200'])
    registration.refresh()
    await until('the second time', () => states.filter(({ status }) => status === 'registered').length === 2)
    assert.equal(registrar.lookup('trunk').length, 1)
    assert.ok((registrar.lookup('trunk')[0]?.cseq ?? 0) > (binding?.cseq ?? 0))
    await registration.stop()
    assert.deepEqual(registrar.lookup('trunk'), [])
    assert.deepEqual([agent.faults, carrier.faults], [[], []])
  })

test('a wrong password is detected with one attempt', async (t) => {
  const { agent: carrier, registrar } = await openCarrier(t)
  const { agent, reaches } = await openTrunk(t, carrier.uri(), 'guess')
  const failed = await reaches('auth_failed')
  assert.equal(failed.sipCode, 401)
  assert.deepEqual(agent.ladder(), ['out REGISTER', 'in 401', 'out REGISTER', 'in 401'])
  assert.equal(registrar.size, 0)
})

test('an expiry that is too short is raised', async (t) => {
  const { agent: carrier, registrar } = await openCarrier(t)
  const { reaches } = await openTrunk(t, carrier.uri(), 'secret', 30)
  await reaches('registered')
  const [binding] = registrar.lookup('trunk')
  assert.equal(Math.round(((binding?.expiresAt ?? 0) - (binding?.registeredAt ?? 0)) / 1000), 60)
})

test('an absent carrier is reported as unreachable', async (t) => {
  const { agent: carrier } = await openCarrier(t)
  const uri = carrier.uri()
  await carrier.ua.close()
  const { reaches } = await openTrunk(t, uri)
  const failed = await reaches('unreachable')
  assert.equal(failed.sipCode, undefined)
  assert.notEqual(failed.detail, '')
})
