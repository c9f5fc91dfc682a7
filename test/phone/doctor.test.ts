// The trunk doctor against real SIP peers, each with a different fault: it names the cause and the fix.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, type TestContext, test } from 'node:test'
import { createServer } from 'node:tls'
import type { Report } from '../../src/phone/diagnostics/report.ts'
import { responseTo } from '../../src/sip/message/build.ts'
import { assertError, type Client, startTestApp } from '../app.ts'
import { type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { startCarrier } from '../phones/kamailio.ts'
import { freeSipPort } from '../phones/ports.ts'
import { type SippOptions, startSipp } from '../phones/sipp.ts'
import { awaitRequest, callee, response, scenario, sdp, send } from '../phones/sipp-scenarios.ts'
import { openPeer, selfSigned } from '../sip-ends.ts'

let shared: Promise<PhoneApp> | undefined
async function phone(): Promise<{ app: PhoneApp; ana: Client }> {
  shared ??= startPhoneApp()
  const app = await shared
  return { app, ana: await app.newUser('ana') }
}

async function newTrunk(client: Client, settings: object): Promise<string> {
  const { json, text } = await client.post('/api/trunks', {
    name: 'line',
    host: '127.0.0.1',
    optionsPing: false,
    ...settings,
  })
  assert.ok(json.id, text)
  return json.id
}

async function examine(settings: object, echoNumber?: string): Promise<Report> {
  const { ana } = await phone()
  const id = await newTrunk(ana, settings)
  const { status, json, text } = await ana.post(`/api/trunks/${id}/doctor`, { echoNumber })
  // Deleted because the next user tests the same peer.
  await ana.delete(`/api/trunks/${id}`)
  assert.equal(status, 200, text)
  assert.equal(json.trunkId, id)
  assert.match(json.sentence, /^\S.*\.$/)
  return json
}

const statusOf = ({ checks }: Report, name: string) => checks.find((check) => check.name === name)?.status
const detailOf = ({ checks }: Report, name: string) => checks.find((check) => check.name === name)?.detail ?? ''

function assertCause(report: Report, cause: string, cure: RegExp): void {
  const seen = JSON.stringify([report.sentence, report.checks], null, 1) + report.ladder
  assert.equal(report.cause, cause, seen)
  assert.equal(report.ok, false)
  assert.match(report.sentence, cure)
}

/** A callee that also answers OPTIONS. */
async function startCallee(t: TestContext, options: SippOptions) {
  const sipp = await startSipp({ args: ['-aa'], calls: 10, ...options })
  t.after(sipp.stop)
  return sipp
}

/** Answers in this order, with no audio. */
const answering = (body: readonly string[]) =>
  scenario(
    'answers',
    awaitRequest('INVITE'),
    send(response('200 OK'), body),
    awaitRequest('ACK'),
    awaitRequest('BYE'),
    send(
      response('200 OK').map((line) => line.replace(/;tag=.*/, '')),
      [],
      '',
    ),
  )

const credentials = { authMode: 'register', username: 'trunk', password: 'secret-word' }

suite('the SIP doctor', { concurrency: 5 }, () => {
  test('a healthy trunk registers, calls, receives its own tone, sends a digit, holds and resumes', async (t) => {
    const echo = await startBaresip({ user: 'echo', says: 'echo' })
    t.after(echo.stop)
    const carrier = await startCarrier({ accounts: { trunk: 'secret-word' }, phones: { '600': echo.uri } })
    t.after(carrier.stop)
    const report = await examine({ port: carrier.port, ...credentials }, '600')
    assert.ok(report.ok, JSON.stringify(report.checks, null, 1) + report.ladder)
    assert.equal(report.cause, null)
    assert.match(report.sentence, /works: .*registration is accepted and a call brought our own audio back/)
    for (const name of ['set_up', 'resolves', 'reached', 'registers', 'public_address', 'call', 'codec', 'audio'])
      assert.equal(statusOf(report, name), 'ok', `${name}: ${detailOf(report, name)}`)
    for (const name of ['authenticates', 'digits', 'hold', 'session_timer'])
      assert.equal(statusOf(report, name), 'ok', `${name}: ${detailOf(report, name)}`)
    assert.match(report.ladder, /REGISTER[\s\S]*401[\s\S]*INVITE sip:600@[\s\S]*407[\s\S]*200 OK \(INVITE\)[\s\S]*BYE/)
    const messages = report.entries.map(({ message }) => message).join('\n')
    assert.match(messages, /Authorization: Digest \[hidden\]/i)
    assert.doesNotMatch(messages, /response="|secret-word/)
    assert.equal(echo.digits(), '5')
  })

  test('a wrong password', async (t) => {
    const carrier = await startCarrier({ accounts: { trunk: 'another-word' } })
    t.after(carrier.stop)
    const report = await examine({ port: carrier.port, ...credentials }, '600')
    assertCause(report, 'wrong_password', /username "trunk" .*correct the username or the password/)
    assert.equal(statusOf(report, 'reached'), 'ok')
    assert.equal(statusOf(report, 'call'), 'skipped')
    const called = await examine({ port: carrier.port, ...credentials, authMode: 'digest' }, '600')
    assertCause(called, 'wrong_password', /407/)
    assert.equal(statusOf(called, 'call'), 'failed')
  })

  test('a password for another realm, and none at all', async (t) => {
    const carrier = await startCarrier({ accounts: { trunk: 'secret-word' }, realm: 'voice.example' })
    t.after(carrier.stop)
    const wrong = await examine({ port: carrier.port, ...credentials, realm: 'sip.example' })
    assertCause(wrong, 'wrong_realm', /realm "voice.example", but .* for "sip.example": set the realm/)
    const none = await examine({ port: carrier.port }, '600')
    assertCause(none, 'no_credentials', /give the trunk its username and password/)
  })

  test('for a wrong port or transport, the working one is found', async (t) => {
    const closed = await freeSipPort()
    const report = await examine({ port: closed })
    assertCause(report, 'wrong_port', new RegExp(`127.0.0.1:${closed} \\(udp\\)`))
    const closedTcp = await examine({ port: closed, transport: 'tcp' })
    assertCause(closedTcp, 'wrong_port', new RegExp(`127.0.0.1:${closed} \\(tcp\\)`))
    const { port } = await startCallee(t, { scenario: callee() })
    // This sipp listens on UDP only.
    const other = await examine({ port, transport: 'tcp' })
    if (!/set transport udp and port 5060/.test(other.sentence))
      assertCause(other, 'wrong_port', new RegExp(`set transport udp and port ${port} in the trunk`))
  })

  test('a silent host, and an unresolvable name', async (t) => {
    const silent = await openPeer(t)
    const report = await examine({ port: silent.port })
    assertCause(report, 'dead_host', /does not answer \(it says nothing\): the host is down/)
    assert.ok(silent.requests('OPTIONS').length > 0)
    const nowhere = await examine({ host: 'nobody.invalid' })
    assertCause(
      nowhere,
      'unresolvable_name',
      /nobody\.invalid leads to no address: (check the spelling|the name server)/,
    )
    assert.equal(nowhere.entries.length, 0)
    assert.equal(statusOf(nowhere, 'reached'), 'skipped')
  })

  test('a host whose responses never reach our SIP port', async (t) => {
    const { app } = await phone()
    const peer = await openPeer(t, ({ message, from }, self) => {
      if (message.kind === 'request' && from.port !== app.sipPort) self.send(responseTo(message, 200), from)
    })
    assertCause(await examine({ port: peer.port }), 'answers_lost', /not to our SIP port: .*SIP_PORT/)
  })

  test('a host that ignores OPTIONS but takes calls is not reported as dead', async (t) => {
    const echo = await startBaresip({ user: 'echo', says: 'echo' })
    t.after(echo.stop)
    const drop = 'if (is_method("OPTIONS")) exit;'
    const carrier = await startCarrier({ accounts: { trunk: 'secret-word' }, phones: { '600': echo.uri }, route: drop })
    t.after(carrier.stop)
    const report = await examine({ port: carrier.port, ...credentials, authMode: 'digest' }, '600')
    assert.ok(report.ok, JSON.stringify(report.checks, null, 1))
    assert.equal(statusOf(report, 'reached'), 'warning')
    assert.match(report.sentence, /optionsPing/)
  })

  test('our Contact and SDP hold a private address', async (t) => {
    const peer = await openPeer(t, ({ message, from }, self) => {
      if (message.kind !== 'request') return
      const answer = responseTo(message, 200)
      const via = message.headers.get('via') ?? ''
      answer.headers.set('via', `${via.replace(';rport', `;rport=${from.port}`)};received=203.0.113.9`)
      self.send(answer, from)
    })
    const report = await examine({ port: peer.port })
    assertCause(report, 'private_address', /private address 127\.0\.0\.1, .* set PUBLIC_ADDRESS=203\.0\.113\.9/)
  })

  test('the remote SDP holds a private address', async (t) => {
    const hidden = sdp().map((line) => line.replace('[media_ip]', '10.255.255.7'))
    const { port } = await startCallee(t, { scenario: answering(hidden) })
    assertCause(await examine({ port }, '600'), 'private_address', /private address 10\.255\.255\.7.*public address/)
  })

  test('no codec in common', async (t) => {
    const opus = await startBaresip({ user: 'echo', says: 'echo', codecs: ['opus'], rateHz: 48_000 })
    t.after(opus.stop)
    const report = await examine({ port: opus.port, codecs: ['PCMA', 'PCMU'] }, 'echo')
    assertCause(report, 'no_common_codec', /codecs that we offer \(PCMA, PCMU\).*allow PCMA and PCMU/)
    assert.match(detailOf(report, 'codec'), /488/)
    const { port } = await startCallee(t, { scenario: answering(sdp('18')) })
    const answered = await examine({ port }, '600')
    assertCause(answered, 'no_common_codec', /but has G729/)
  })

  test('one-way audio: nothing is received, or not our own audio', async (t) => {
    const mute = await startCallee(t, { scenario: answering(sdp()) })
    const nothing = await examine({ port: mute.port }, '600')
    assertCause(nothing, 'one_way_audio', /no audio came .*10000 to 20000 \(RTP_PORTS\)/)
    const music = await startCallee(t, { scenario: callee() })
    const other = await examine({ port: music.port }, '600')
    assertCause(other, 'one_way_audio', /our own did not come back: either 600 is not an echo service/)
    assert.match(detailOf(other, 'audio'), /[1-9]\d* received/)
  })

  test('blocked by address: 403 without a challenge', async (t) => {
    const route = 'sl_send_reply("403", "Forbidden"); exit;'
    const carrier = await startCarrier({ accounts: {}, route })
    t.after(carrier.stop)
    const report = await examine({ port: carrier.port })
    assertCause(report, 'blocked_by_address', /403 Forbidden.*allow our address 127\.0\.0\.1/)
    assertCause(await examine({ port: carrier.port }, '600'), 'blocked_by_address', /allow our address/)
    assertCause(await examine({ port: carrier.port, ...credentials }), 'blocked_by_address', /allow our address/)
  })

  test('an unknown number, a busy one, and one that hangs up', async (t) => {
    const carrier = await startCarrier({ accounts: { trunk: 'secret-word' } })
    t.after(carrier.stop)
    const numberFormat = { leadingPlus: false, prefix: '0' }
    const report = await examine({ port: carrier.port, ...credentials, numberFormat }, '+15550100')
    assertCause(report, 'refused_number', /as we dial it, 015550100 \(404 No such number\).*numberFormat/)
    assert.equal(statusOf(report, 'registers'), 'ok')
    const busy = await startCallee(t, { scenario: callee({ refuse: '486 Busy Here' }) })
    assertCause(await examine({ port: busy.port }, '600'), 'call_refused', /486 Busy Here/)
    const rude = await startCallee(t, { scenario: callee({ hangsUpAfterMs: 300 }) })
    assertCause(await examine({ port: rude.port }, '600'), 'call_dropped', /hung up the call to 600/)
  })

  test('an untrusted certificate, and a port that does not speak TLS', async (t) => {
    const server = createServer(selfSigned(t))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    const report = await examine({ port, transport: 'tls' })
    assertCause(report, 'tls_certificate', /signed by itself: it must be for 127\.0\.0\.1 .*NODE_EXTRA_CA_CERTS/)
    const carrier = await startCarrier({ accounts: {} })
    t.after(carrier.stop)
    assertCause(
      await examine({ port: carrier.port, transport: 'tls' }),
      'wrong_port',
      /set transport (udp|tcp) and port/,
    )
  })

  test('a trunk that is not set up, and one that is switched off', async (t) => {
    const { ana } = await phone()
    const { json } = await ana.post('/api/trunks', { name: 'empty' })
    const { json: report } = await ana.post(`/api/trunks/${json.id}/doctor`)
    assertCause(report, 'not_set_up', /The trunk empty is not set up: give it a host/)
    const peer = await openPeer(t, ({ message, from }, self) => {
      if (message.kind === 'request') self.send(responseTo(message, 200), from)
    })
    assertCause(await examine({ port: peer.port, isActive: false }), 'switched_off', /set isActive/)
  })

  test('one diagnosis at a time, of own trunks only, to allowed numbers, with the calls scope', async (t) => {
    const { app, ana } = await phone()
    const silent = await openPeer(t)
    const id = await newTrunk(ana, { port: silent.port })
    const url = `/api/trunks/${id}/doctor`
    const [first, second] = await Promise.all([ana.post(url), ana.post(url)])
    assert.deepEqual([first.status, second.status].sort(), [200, 409])
    const bia = await app.newUser('bia')
    assertError(await bia.post(url), 404, 'Trunk not found')
    for (const echoNumber of ['+881612345678', '00881612345678', '881612345678', '+1 900 5550100'])
      assert.ok([400, 403].includes((await ana.post(url, { echoNumber })).status), echoNumber)
    const narrow = await ana.withKey({ scopes: ['agents'] })
    assertError(await narrow.post(url, { echoNumber: '600' }), 403, 'This key does not have the scope calls')
    const off = await startTestApp()
    assertError(await off.ana.post(`/api/trunks/${await newTrunk(off.ana, {})}/doctor`), 503, /switched off/)
  })
})
