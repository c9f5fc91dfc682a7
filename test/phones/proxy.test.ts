// The Kamailio configuration of deploy/kamailio between scripted nodes and peers: health, failover, dialogs, Path, and
// what it refuses.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipMessage, SipRequest } from '../../src/sip/message/message.ts'
import { serialize } from '../../src/sip/message/serialize.ts'
import { until } from '../until.ts'
import { type ByHand, openByHand } from './by-hand.ts'
import { startBalancer } from './kamailio.ts'

type Node = ByHand & { uri: string; isDraining: boolean; invite: number | null; taken: () => SipRequest[] }

/** A node: answers probes with 200, or 503 while it drains, and each INVITE with this status, or not at all. */
async function openNode(t: TestContext, address: string): Promise<Node> {
  const side = await openByHand(t, address)
  const node: Node = Object.assign(side, {
    uri: `sip:${address}:${side.port}`,
    isDraining: false,
    invite: 200 as number | null,
    taken: () => side.all('INVITE') as SipRequest[],
  })
  side.onRequest = (request) => {
    const { method } = request
    if (method === 'OPTIONS') return side.answer(request, node.isDraining ? 503 : 200)
    if (method !== 'INVITE') return side.answer(request, 200, { headers: pathOf(request) })
    if (node.invite === null) return
    side.answer(request, node.invite, { sdp: side.sdp() })
  }
  return node
}

const pathOf = (request: SipRequest) => request.headers.all('path').map((value): [string, string] => ['path', value])

type FrontOptions = { floodRequests?: number; others?: readonly string[] }

async function front(t: TestContext, addresses: readonly string[], { others = [], ...options }: FrontOptions = {}) {
  const nodes = await Promise.all(addresses.map((address) => openNode(t, address)))
  const proxy = await startBalancer({ nodes: [...nodes.map(({ uri }) => uri), ...others], ...options })
  t.after(proxy.stop)
  return { nodes: nodes as [Node, Node], proxy }
}

const ofCall = (node: ByHand, call: { callId: string }, method: string) =>
  node.all(method).find((one) => one.headers.get('call-id') === call.callId) as SipRequest | undefined

test('a node that drains gets no new calls and keeps those it has; one that is gone or refuses is skipped', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.31.1', '127.0.31.2'])
  const [one, two] = nodes
  const caller = await openByHand(t, '127.0.31.21')
  const before = await until('a call on the first node', async () => {
    const call = await caller.call(proxy.port, { uri: '+1' })
    await call.answered()
    return ofCall(one, call, 'INVITE') ? call : undefined
  })
  one.isDraining = true
  await proxy.probed(one.uri, false)
  const had = one.taken().length
  for (let i = 0; i < 8; i++) await (await caller.call(proxy.port, { uri: '+1' })).answered()
  assert.equal(one.taken().length, had, 'it gets no new call')
  assert.equal((await before.bye()).status, 200)
  assert.ok(ofCall(one, before, 'BYE'), 'its own dialog goes on')

  one.isDraining = false
  await proxy.probed(one.uri, true)
  two.invite = 503
  for (let i = 0; i < 8; i++) await (await caller.call(proxy.port, { uri: '+1' })).answered()
  assert.ok(two.taken().length > 0, 'the other was asked as well')
  two.invite = null
  const lost = await until('a call that the second node does not answer', async () => {
    const call = await caller.call(proxy.port, { uri: '+1' })
    await call.answered()
    return ofCall(two, call, 'INVITE') ? call : undefined
  })
  assert.ok(ofCall(one, lost, 'INVITE'))

  one.isDraining = true
  two.isDraining = true
  for (const node of nodes) await proxy.probed(node.uri, false)
  const refused = await (await caller.call(proxy.port, { uri: '+1' })).final()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '10'])
})

test('when all nodes refuse a call, the caller is told to try elsewhere; a busy agent is not that', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.38.1', '127.0.38.2'])
  const caller = await openByHand(t, '127.0.38.21')
  const refused = async (...statuses: (number | null)[]) => {
    nodes.forEach((node, i) => {
      node.invite = statuses[i] as number | null
    })
    const { status, headers } = await (await caller.call(proxy.port, { uri: '+1' })).final()
    return [status, headers.get('retry-after')]
  }
  assert.deepEqual(await refused(486, 486), [486, undefined])
  for (const statuses of [
    [503, 503],
    [500, 500],
    [null, null],
  ])
    assert.deepEqual(await refused(...statuses), [503, '10'], `the nodes answer ${statuses}`)
})

test('a node whose name has no address yet, or that refuses connections, is skipped', async (t) => {
  const others = ['sip:ramal-9.invalid:5070', 'sip:127.0.37.2:9;transport=tcp']
  const { nodes, proxy } = await front(t, ['127.0.37.1'], { others })
  const caller = await openByHand(t, '127.0.37.21')
  for (let i = 0; i < 12; i++) await (await caller.call(proxy.port, { uri: '+1' })).answered()
  assert.ok(nodes[0].taken().length >= 12)
})

test('the response to a challenge comes to the node that sent it, and a device stays with its node', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.32.1', '127.0.32.2'])
  const phone = await openByHand(t, '127.0.32.21')
  for (let i = 0; i < 8; i++) {
    const callId = `challenged-${i}`
    for (let cseq = 1; cseq <= 2; cseq++) await (await phone.call(proxy.port, { uri: '+1', callId })).final()
    const counts = nodes.map((node) => node.taken().filter(({ headers }) => headers.get('call-id') === callId).length)
    assert.ok(counts.includes(2) || counts.includes(1), `${counts}`)
    assert.ok(counts.includes(0), `the whole call is on one node: ${counts}`)
  }
  for (let i = 0; i < 6; i++) phone.ask(proxy.port, 'REGISTER', { from: '<sip:desk@ramal.test>' })
  await until('all are registered', () => nodes.reduce((sum, node) => sum + node.all('REGISTER').length, 0) >= 6)
  assert.ok(nodes.some((node) => node.all('REGISTER').length === 0))
})

test('a node rings a phone through the Path of its registration, where the phone really is', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.33.1'])
  const [node] = nodes
  const phone = await openByHand(t, '127.0.33.21')
  const forged: [string, string] = ['X-Ramal-Source', '127.0.33.99 5060 udp']
  phone.onRequest = (request) => phone.answer(request, 200, { sdp: phone.sdp(), headers: [forged] })
  // As behind NAT: nothing listens at the address in the Contact.
  const contact: [string, string] = ['contact', '<sip:desk@192.0.2.77:5060>']
  phone.ask(proxy.port, 'REGISTER', { from: '<sip:desk@ramal.test>', headers: [contact] })
  const path = (await node.request('REGISTER')).headers.all('path')
  assert.match(
    path.join(),
    new RegExp(`^<sip:127\\.0\\.0\\.1:${proxy.port};lr;received=sip:127\\.0\\.33\\.21:${phone.port}>$`),
  )
  const registered = (await phone.next(200)) as SipMessage
  assert.deepEqual(registered.headers.all('path'), path)
  const call = await node.call(proxy.port, { uri: 'sip:desk@192.0.2.77:5060', headers: [['route', path.join()]] })
  const answer = await call.answered()
  assert.deepEqual(answer.headers.all('x-ramal-source'), [`127.0.33.21 ${phone.port} udp`])
  const invite = await phone.request('INVITE')
  assert.equal(invite.uri, 'sip:desk@192.0.2.77:5060')
  assert.equal(invite.headers.has('x-ramal-source'), false)
})

test('it relays nothing between two outsiders', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.34.1'])
  const [node] = nodes
  const [stranger, victim] = [await openByHand(t, '127.0.34.21'), await openByHand(t, '127.0.34.22')]
  const target = `sip:x@127.0.34.22:${victim.port}`
  const own = `<sip:127.0.0.1:${proxy.port};lr>`
  const inDialog = { to: `<${target}>;tag=1`, uri: target }
  const attempts: [string, string][][] = [
    [['route', own]],
    [['route', `${own}, <${target};lr>`]],
    [['route', `<sip:127.0.0.1:${proxy.port};lr;received=sip:127.0.34.22:${victim.port}>`]],
  ]
  for (const headers of attempts) {
    const asked = stranger.ask(proxy.port, 'INVITE', { ...inDialog, headers })
    const answer = await until('it is refused', () =>
      stranger.heard.find(({ message }) => message.headers.get('call-id') === asked.headers.get('call-id')),
    )
    assert.equal(answer.message.kind === 'response' && answer.message.status, 403)
  }
  // A new call goes to a node, whatever its Request-URI and Route say.
  const call = await stranger.call(proxy.port, { uri: target, headers: [['route', `${own}, <${target};lr>`]] })
  await call.answered()
  assert.ok(ofCall(node, call, 'INVITE'))
  // An alias set by the peer would direct the node's requests elsewhere.
  const alias: [string, string] = ['contact', `<sip:x@127.0.34.21;alias=127.0.34.22~${victim.port}~1>`]
  assert.equal((await (await stranger.call(proxy.port, { uri: '+1', headers: [alias] })).final()).status, 400)
  assert.equal(victim.heard.length, 0)
  // A node may place calls.
  victim.onRequest = (request) => victim.answer(request, 200)
  await (await node.call(proxy.port, { uri: target })).answered()
  assert.equal(victim.all('INVITE').length, 1)
})

test('the requests of a node within a call reach the peer where it is, whatever its Contact says', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.36.1'])
  const [node] = nodes
  const [peer, victim] = [await openByHand(t, '127.0.36.21'), await openByHand(t, '127.0.36.22')]
  const elsewhere: [string, string][] = [['contact', `<sip:x@127.0.36.22:${victim.port}>`]]
  const alias = `<sip:x@127.0.36.21:${peer.port};alias=127.0.36.22~${victim.port}~1>`

  // Called by the peer; the node hangs up.
  const call = await peer.call(proxy.port, { uri: '+1', headers: elsewhere })
  await call.answered()
  const invite = ofCall(node, call, 'INVITE') ?? assert.fail('no INVITE')
  const uri = /<([^>]+)>/.exec(invite.headers.get('contact') ?? '')?.[1] ?? ''
  assert.match(uri, new RegExp(`^sip:x@127\\.0\\.36\\.22:${victim.port};alias=127\\.0\\.36\\.21~${peer.port}~1$`))
  const routes = invite.headers.all('record-route').map((route): [string, string] => ['route', route])
  const dialog = { uri, to: `${invite.headers.get('from')}`, callId: call.callId, headers: routes }
  node.ask(proxy.port, 'BYE', dialog)
  await call.over()

  // Called by the node, which acknowledges and hangs up.
  for (const headers of [elsewhere, [['contact', alias]] as [string, string][]]) {
    peer.onRequest = (request) => peer.answer(request, 200, { sdp: peer.sdp(), headers })
    const out = await node.call(proxy.port, { uri: `sip:y@127.0.36.21:${peer.port}` })
    const { headers: got } = await out.answered()
    assert.doesNotMatch(got.get('contact') ?? '', /alias=127\.0\.36\.22/)
    assert.equal((await out.bye()).status, 200)
    assert.ok(ofCall(peer, out, 'ACK') && ofCall(peer, out, 'BYE'))
  }
  assert.equal(victim.heard.length, 0)
})

test('nobody else can say where a request came from, and oversized or endless messages are refused', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.35.1'])
  const [node] = nodes
  const stranger = await openByHand(t, '127.0.35.21')
  const forged: [string, string][][] = [
    [['X-Ramal-Source', '127.0.35.99 5060 udp']],
    [['x-ramal-source ', '127.0.35.99 5060 udp']],
    [
      ['X-RAMAL-SOURCE', '127.0.35.98 5060 udp'],
      ['X-Ramal-Source', '127.0.35.99 5060 udp'],
    ],
  ]
  for (const headers of forged) {
    const call = await stranger.call(proxy.port, { uri: '+1', headers })
    await call.answered()
    assert.deepEqual(ofCall(node, call, 'INVITE')?.headers.all('x-ramal-source'), [`127.0.35.21 ${stranger.port} udp`])
    assert.equal((await call.bye()).status, 200)
    assert.deepEqual(ofCall(node, call, 'BYE')?.headers.all('x-ramal-source'), [`127.0.35.21 ${stranger.port} udp`])
  }
  const large = await stranger.call(proxy.port, { uri: '+1', headers: [['x-long', 'x'.repeat(40_000)]] })
  assert.equal((await large.final()).status, 513)
  const looped = serialize(large.invite)
    .toString('latin1')
    .replace(/x-long: x+\r\n/i, '')
    .replace('Max-Forwards: 70', 'Max-Forwards: 0')
  stranger.send(looped, proxy.port)
  await stranger.next(483)
  assert.equal(node.taken().length, forged.length)
})

test('a flood from one address is ignored, and others are served', async (t) => {
  const { nodes, proxy } = await front(t, ['127.0.36.1'], { floodRequests: 20 })
  const [flood, caller] = [await openByHand(t, '127.0.36.21'), await openByHand(t, '127.0.36.22')]
  for (let i = 0; i < 400; i++) flood.ask(proxy.port, 'MESSAGE')
  await (await caller.call(proxy.port, { uri: '+1' })).answered()
  await until('the flood is noticed', () => /PIKE|pike/.test(proxy.program.output()))
  assert.ok(nodes[0].all('MESSAGE').length < 200, `${nodes[0].all('MESSAGE').length} of 400 came through`)
})
