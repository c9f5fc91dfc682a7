// The Kamailio helper itself: load balancer and carrier.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../until.ts'
import { startBaresip } from './baresip.ts'
import { startBalancer, startCarrier } from './kamailio.ts'
import { runSipp, startSipp } from './sipp.ts'
import { awaitResponse, callee, caller, request, scenario, send } from './sipp-scenarios.ts'
import { heardMs, listen } from './spectrum.ts'

test('the load balancer passes OPTIONS on, spreads calls over the nodes, and skips one that refuses', async (t) => {
  const nodes = await Promise.all(
    [{}, {}, { refuse: '503 Full' }].map((how) => startSipp({ scenario: callee(how), calls: 100, args: ['-aa'] })),
  )
  for (const node of nodes) t.after(node.stop)
  const balancer = await startBalancer({ nodes: nodes.map(({ port }) => port) })
  t.after(balancer.stop)
  const to = `127.0.0.1:${balancer.port}`
  const options = request('OPTIONS', 1, [], 'sip:[remote_ip]:[remote_port]')
  const address = '127.0.0.21'
  await runSipp({ scenario: scenario('ping', send(options), awaitResponse(200)), to, address })
  await runSipp({ scenario: caller({ talkMs: 50 }), to, address, calls: 40, rate: 40 })
  const taken = (i: number) => Number(nodes[i]?.soFar().statistics.get('IncomingCall(C)') ?? 0)
  await until('both nodes have had calls', () => taken(0) >= 2 && taken(1) >= 2)
})

test('the carrier registers its subscriber, connects it both ways, and refuses others', async (t) => {
  const world = await startBaresip({ user: 'world', says: { hz: 500 } })
  t.after(world.stop)
  const carrier = await startCarrier({
    accounts: { trunk: 'secret', other: 'hidden' },
    phones: { '+15550100': world.uri },
    numbers: { '+15550199': 'trunk' },
  })
  t.after(carrier.stop)
  const wrong = await startBaresip({ user: 'trunk', registrar: { port: carrier.port, password: 'guessed' } })
  t.after(wrong.stop)
  await wrong.next('REGISTER_FAIL')
  const ours = await startBaresip({ user: 'trunk', registrar: { port: carrier.port, password: 'secret' } })
  t.after(ours.stop)
  await ours.next('REGISTER_OK')
  await ours.dial(`sip:+15550100@127.0.0.1:${carrier.port}`)
  await ours.next('CALL_ESTABLISHED')
  await until('the subscriber hears the world', () => heardMs(listen(ours.heard()), 500) > 300)
  await world.hangUp()
  await ours.next('CALL_CLOSED')
  await ours.dial(`sip:+15550111@127.0.0.1:${carrier.port}`)
  assert.match((await ours.next('CALL_CLOSED')).param ?? '', /404/)
})

test('a call from outside reaches the subscriber by its account or by the number that was called', async (t) => {
  for (const numberIn of ['to', 'request-uri'] as const) {
    const carrier = await startCarrier({ accounts: { trunk: 'secret' }, numbers: { '+15550199': 'trunk' }, numberIn })
    t.after(carrier.stop)
    const registrar = { port: carrier.port, password: 'secret', transport: 'tcp' as const }
    const ours = await startBaresip({ user: 'trunk', registrar })
    t.after(ours.stop)
    await ours.next('REGISTER_OK')
    const to = `127.0.0.1:${carrier.outsidePort}`
    const called = runSipp({ scenario: caller({ talkMs: 100 }), to, service: '+15550199' })
    // baresip accepts its account name only: its refusal shows that the number was in the Request-URI.
    if (numberIn === 'to') await called
    else await assert.rejects(called, /404 Not Found.*Server: baresip/s)
    await assert.rejects(runSipp({ scenario: caller(), to, service: '+15550198' }), /404 No such number/)
  }
})

test('the carrier challenges with SHA-256 when configured', async (t) => {
  const carrier = await startCarrier({ accounts: { trunk: 'secret' }, algorithm: 'SHA-256' })
  t.after(carrier.stop)
  const register = request('REGISTER', 1, [], 'sip:[remote_ip]:[remote_port]')
  const challenged = '<recv response="401" auth="true"/>'
  const { messages } = await runSipp({
    scenario: scenario('registration', send(register), challenged),
    to: `127.0.0.1:${carrier.port}`,
  })
  assert.match(messages, /WWW-Authenticate: Digest realm="carrier.test".*algorithm=SHA-256/)
})
