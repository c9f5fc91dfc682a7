// Phones registered through Kamailio: the node that got a REGISTER is killed, and the other node calls the phones by
// their Path.
// @run postgres
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { readWav } from '../../src/audio/wav.ts'
import { atEnd, newPostgresDatabase, usesPostgres } from '../app.ts'
import { type PhoneService, startPhoneService } from '../phone-service.ts'
import { startBalancer } from '../phones/kamailio.ts'
import { heardMs, listen, type Sound } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { alike, OTHER, smallVoice } from './likeness.ts'
import { baresipPhone } from './talks.ts'

/** A single sentence: on a busy machine the pause between two grows. */
const GREETING = 'A clínica abre às oito da manhã.'
const PHONE_HZ = 1000

/**
 * Phones and proxy are at 127.0.0.1, the nodes elsewhere: the proxy treats anything from a node's address as coming
 * from that node.
 */
async function startCluster(t: TestContext) {
  const shared = {
    DATABASE_URL: await newPostgresDatabase({ isMigrated: true }),
    MASTER_KEY: randomBytes(24).toString('hex'),
    SIP_PROXIES: '127.0.0.1',
    // The phones play tones only.
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: 'none',
    DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
  }
  const start = (name: string, host: string, key?: { key: string }) =>
    startPhoneService({ ...shared, NODE_NAME: name, SIP_HOST: host }, key)
  const one = await start('one', '127.0.46.1')
  const two = await start('two', '127.0.46.2', one)
  const uris = [`sip:127.0.46.1:${one.sipPort}`, `sip:127.0.46.2:${two.sipPort}`]
  const proxy = await startBalancer({ nodes: uris })
  t.after(proxy.stop)
  for (const uri of uris) await proxy.probed(uri, true)
  const database = new pg.Client(shared.DATABASE_URL)
  await database.connect()
  t.after(() => database.end())
  return { one, two, proxy, database }
}
type Cluster = Awaited<ReturnType<typeof startCluster>>

async function newDevice({ one, two }: Cluster, agentId: string) {
  const device = (await one.post('/api/gateway/devices', { name: 'desk', agentId })).json
  const { username, password } = await one.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)
  const call = async (node: PhoneService): Promise<string> => {
    const order = { agentId, toNumber: '+551130001234', fromDeviceTokens: [device.token] }
    const { status, json } = await node.post('/api/calls/outbound', order)
    assert.equal(status, 201, JSON.stringify(json))
    return json.callId
  }
  // An earlier REGISTER would count as password guessing.
  for (const node of [one, two])
    await until('the node knows the device', async () =>
      /no phone is registered/.test((await endOf(node, await call(node))).endDetail ?? ''),
    )
  return { username, password, call }
}

type Transport = 'udp' | 'tcp'

async function registeredPhone(t: TestContext, cluster: Cluster, to: { agentId: string; transport: Transport }) {
  const { transport } = to
  const device = await newDevice(cluster, to.agentId)
  const registrar = { port: cluster.proxy.port, password: device.password, transport }
  const phone = await baresipPhone({ user: device.username, registrar, answer: 'manual', says: { hz: PHONE_HZ } })
  t.after(phone.stop)
  await phone.registered()
  return { phone, device, transport }
}

const endOf = (node: PhoneService, callId: string) =>
  until('the call has ended', async () => {
    const call = await node.get(`/api/calls/${callId}`)
    return call.endedAt !== null && call
  })

/** Repeated until the phone rings: a node picks up another node's registrations within a second. */
const ringingCall = (node: PhoneService, { call }: { call(node: PhoneService): Promise<string> }) =>
  until('the phone rings', async () => {
    const callId = await call(node)
    const status = await until('it is dialled', async () => {
      const row = await node.get(`/api/calls/${callId}`)
      return row.status !== 'initiating' && row.status
    })
    return status === 'ringing' && callId
  })

/** What the phone said, as recorded. */
async function recordedOf(node: PhoneService, callId: string): Promise<Sound> {
  await until('it is recorded', async () => (await node.get(`/api/calls/${callId}`)).recordingStatus === 'complete')
  const response = await fetch(`${node.url}/api/gateway/calls/recordings/${callId}?channel=caller`, {
    headers: { 'x-api-key': node.key },
  })
  assert.equal(response.status, 200)
  return readWav(Buffer.from(await response.arrayBuffer()))
}

/** The Route of the INVITE that was sent. */
const routeOf = (node: PhoneService, callId: string) =>
  until('its messages are stored', async () => {
    const { entries } = await node.get(`/api/calls/${callId}/sip`)
    const invite = entries.find(({ summary }: { summary: string }) => summary.startsWith('INVITE'))
    return /^route: (.*)\r$/im.exec(invite?.message ?? '')?.[1]
  })

if (usesPostgres) {
  const voice = await smallVoice()
  atEnd(voice.close)

  test('after a node was killed, the other one calls registered phones through Kamailio: audio flows both ways, and each side can hang up', async (t) => {
    const cluster = await startCluster(t)
    const { one, two, proxy, database } = cluster
    const settings = { turn: { silenceHangupMs: 600_000, idleReminderMs: 0 } }
    const agent = { name: 'Ana', systemPrompt: 'x', initialSpeech: GREETING, language: 'pt-BR', settings }
    const agentId = (await one.post('/api/agents', agent)).json.id
    const phones = [
      await registeredPhone(t, cluster, { agentId, transport: 'udp' }),
      await registeredPhone(t, cluster, { agentId, transport: 'tcp' }),
    ]
    const { rows } = await database.query('select "nodeName" from "deviceBindings" order by "registeredAt" desc')
    assert.equal(rows.length, phones.length)
    const [killed, other] = rows[0].nodeName === 'one' ? [one, two] : [two, one]
    await killed.kill('SIGKILL')

    const greeting = await voice.spoken(GREETING)
    const ends = { udp: ['caller_hangup', 'caller'], tcp: ['canceled_by_api', 'system'] }
    const talk = async ({ phone, device, transport }: (typeof phones)[number]) => {
      const callId = await ringingCall(other, device)
      await phone.incoming()
      await phone.accept()
      await phone.established()
      await until('the phone hears the greeting', () => alike(listen(phone.heard()), greeting).likeness > OTHER)
      if (transport === 'udp') await phone.hangUp()
      else assert.equal((await other.post(`/api/calls/${callId}/hangup`)).status, 200)
      await phone.over()
      const { endReason, hangupBy, nodeId } = await endOf(other, callId)
      assert.deepEqual([endReason, hangupBy, nodeId], [...ends[transport], other.env.NODE_NAME])
      assert.match(await routeOf(other, callId), new RegExp(`^<sip:127\\.0\\.0\\.1:${proxy.port};lr;received=`))
      const saidMs = heardMs(await recordedOf(other, callId), PHONE_HZ)
      assert.ok(saidMs > 300, `the phone was heard for ${saidMs} ms`)
    }
    await Promise.all(phones.map(talk))
  })
}
