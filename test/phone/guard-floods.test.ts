// Scanners and floods: they find nothing, cause no database query, and do not disturb a running call.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { masterKeys } from '../../src/base/crypto/master-key.ts'
import { keyRing } from '../../src/base/crypto/secrets.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { agentsInCalls } from '../../src/features/calls/agent-in-calls.ts'
import { callLifecycle } from '../../src/features/calls/lifecycle-store.ts'
import { phoneRepository } from '../../src/features/calls/phone-repository.ts'
import { callStore } from '../../src/features/calls/store.ts'
import { deviceStates } from '../../src/features/devices/state-store.ts'
import { deviceStore } from '../../src/features/devices/store.ts'
import { didStore } from '../../src/features/numbers/store.ts'
import { trunkLinks } from '../../src/features/trunks/link-store.ts'
import { trunkStore } from '../../src/features/trunks/store.ts'
import { userActivity } from '../../src/features/users/rows.ts'
import { dialPolicy } from '../../src/phone/dial-policy.ts'
import { startPhone } from '../../src/phone/phone.ts'
import { newCallId, newTag } from '../../src/sip/message/build.ts'
import { startTestApp } from '../app.ts'
import { agentOnTrunk, sayTone, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { freeSipPort } from '../phones/ports.ts'
import { newFolder, startProgram } from '../phones/program.ts'
import { until } from '../until.ts'

/** Records the repository calls by name. */
function watched<T extends object>(book: T, asked: string[]): T {
  return new Proxy(book, {
    get(target, name) {
      const value = target[name as keyof T]
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        asked.push(String(name))
        return value.apply(target, args)
      }
    },
  })
}

test('an INVITE from an unknown peer costs no database query and leaves no row', async (t) => {
  const test = await startTestApp()
  const { db } = test.database
  const ring = masterKeys(test.config.masterKeys, test.config.dataDir)
  const secrets = keyRing(ring)
  const asked: string[] = []
  const port = await freeSipPort()
  const devices = deviceStore(db, secrets, { domain: '127.0.0.1', host: '127.0.0.1', port, tlsPort: null })
  await test.ana.post('/api/gateway/devices', { name: 'desk' })
  const stores = {
    db,
    agentInCalls: agentsInCalls(agentStore(db), userActivity(db)),
    dids: didStore(db),
    trunks: trunkStore(db, secrets),
    devices,
  }
  const phone = await startPhone(
    {
      ...test.config.phone,
      port,
      domain: '127.0.0.1',
      dialPolicy: dialPolicy([]),
      name: 'Ramal',
      secret: ring[0] as string,
    },
    {
      repository: watched(
        phoneRepository({
          ...stores,
          node: { name: 'n', processId: 'p' },
          links: trunkLinks(db),
          states: deviceStates(db, secrets),
        }),
        asked,
      ),
      calls: watched({ ...callLifecycle(db), decided: async () => true, finish: callStore(db).finish }, asked),
      converse: sayTone,
      announce: async () => {},
      nodeName: 'n',
      recordings: { dir: test.config.dataDir, node: 'n', hasRoom: async () => true, onFailed: () => {} },
      log: pino({ level: 'silent' }),
    },
  )
  t.after(() => phone.close())
  const own = [
    'version',
    'trunks',
    'devices',
    'administrators',
    'bindingChanges',
    'removeLostBindings',
    'otherPhoneNodes',
    'renewTrunkLeases',
    'acquireTrunkLeases',
  ] // periodic, independent of traffic
  for (let i = 0; i < 30; i++) {
    const stranger = await openByHand(t, `127.0.7.${1 + i}`)
    const call = await stranger.call(port, { uri: '+551130000000' })
    assert.equal((await call.final()).status, 401)
  }
  assert.deepEqual(
    asked.filter((name) => !own.includes(name)),
    [],
  )
  assert.deepEqual(await db.selectFrom('calls').select('id').execute(), [])
})

test('the scanners of sipvicious find nothing', async (t) => {
  const app = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.8.1')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  await app.bia.post('/api/gateway/devices', { name: 'desk' })
  const { username } = (await app.bia.get('/api/gateway/sip/credentials')).json
  await app.app.phone?.refresh()
  const scan = (name: string, from: string, ...args: string[]) => {
    const all = [...args, '-b', from, '-x', from, '-p', String(app.sipPort), '127.0.0.1']
    const program = startProgram(name, all, { folder: newFolder('scan') })
    t.after(() => program.stop())
    return program
  }
  const scans = [
    scan('svmap', '127.0.8.10'),
    scan('svmap', '127.0.8.11', '-m', 'INVITE'),
    scan('svwar', '127.0.8.12', '-e', '100-400', '--force', '--maximumtime=1'),
    scan('svwar', '127.0.8.13', '-e', '100-400', '-m', 'INVITE', '--force', '--maximumtime=1'),
    scan('svcrack', '127.0.8.14', '-u', username, '-r', '1-500', '--maximumtime=1'),
  ]
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  for (const program of scans) {
    await program.exited
    const words = program.output()
    assert.doesNotMatch(words, /Ramal|reqauth|noauth|The password for|\| 1\d\d /, words)
  }
  assert.equal((await call.bye()).status, 200)
  assert.equal((await app.ana.get('/api/calls')).json.length, 1)
})

/** Sends REGISTERs as fast as possible from many addresses; resolves with the number sent. */
async function flood(t: TestContext, port: number, messages: number): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const socket = createSocket('udp4')
      socket.bind(0, `127.0.9.${1 + i}`)
      await once(socket, 'listening')
      t.after(() => new Promise<void>((done) => socket.close(done)))
      return socket
    }),
  )
  let sent = 0
  while (sent < messages) {
    for (const [i, socket] of sockets.entries()) {
      const text = [
        'REGISTER sip:127.0.0.1 SIP/2.0',
        `Via: SIP/2.0/UDP 127.0.9.${1 + i};branch=z9hG4bK${newTag()};rport`,
        `From: <sip:${100 + (sent % 900)}@127.0.0.1>;tag=${newTag()}`,
        `To: <sip:${100 + (sent % 900)}@127.0.0.1>`,
        `Call-ID: ${newCallId()}`,
        'CSeq: 1 REGISTER',
        'Max-Forwards: 70',
        `Contact: <sip:x@127.0.9.${1 + i}>`,
        'Content-Length: 0',
      ]
      socket.send(`${text.join('\r\n')}\r\n\r\n`, port, '127.0.0.1')
      sent++
    }
    await new Promise((next) => setImmediate(next))
  }
  return sent
}

test('ten thousand REGISTERs at once disturb neither a running call nor a new one', async (t) => {
  const app = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.8.2')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  await app.bia.post('/api/gateway/devices', { name: 'desk' })
  await app.app.phone?.refresh()
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  await until('the agent is heard', () => carrier.rtpPackets() > 10)
  await flood(t, app.sipPort, 10_000)
  const other = await carrier.call(app.sipPort, { uri: number })
  await other.answered()
  await other.bye()
  // bench:hostile measures how regular the packets are: here the same process also sends the flood.
  const before = carrier.rtpPackets()
  await until('the agent is heard on', () => carrier.rtpPackets() > before + 20)
  assert.equal(carrier.lostRtp(), 0, 'every packet has come')
  assert.equal((await call.bye()).status, 200)
  assert.ok((app.app.phone?.ua.stack.transactions ?? 0) < 2000, 'few were taken up')
})
