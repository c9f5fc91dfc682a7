// The Linphone helper itself: calls, hold, registration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../until.ts'
import { startBaresip } from './baresip.ts'
import { startCarrier } from './kamailio.ts'
import { type Linphone, startLinphone } from './linphone.ts'
import { heardMs, listen } from './spectrum.ts'

test('linphone and baresip call each other: audio, DTMF and hangup', async (t) => {
  const lin = await startLinphone({ user: 'lin', says: { hz: 600 }, answer: 'manual' })
  t.after(lin.stop)
  const bob = await startBaresip({ user: 'bob', says: { hz: 1500 } })
  t.after(bob.stop)
  await bob.dial(lin.uri)
  await lin.next('incoming')
  lin.accept()
  await Promise.all([lin.next('established'), bob.next('CALL_ESTABLISHED')])
  await until('linphone hears baresip', () => heardMs(listen(lin.heard()), 1500) > 500)
  await until('baresip hears linphone', () => heardMs(listen(bob.heard()), 600) > 500)
  await bob.press('5')
  lin.press('7')
  await until('each has the key of the other', () => bob.digits() === '7' && lin.digits() === '5')
  await bob.hangUp()
  await lin.next('ended')
})

test('linphone calls, holds, resumes and still hears, and hangs up', async (t) => {
  const lin = await startLinphone()
  t.after(lin.stop)
  const bob = await startBaresip({ user: 'bob', codecs: ['pcma'], says: { hz: 1200 } })
  t.after(bob.stop)
  lin.dial(bob.uri)
  await lin.next('established')
  lin.hold()
  await lin.next('paused')
  lin.resume()
  await lin.next('established')
  const before = heardMs(listen(lin.heard()), 1200)
  await until('it hears more', () => heardMs(listen(lin.heard()), 1200) > before + 300)
  await bob.hold()
  await lin.next('held by the other')
  lin.hangUp()
  await bob.next('CALL_CLOSED')
  assert.match(await lin.next('ended'), /No error/)
})

test('linphone registers by UDP and TCP, and says when its password is wrong', async (t) => {
  const carrier = await startCarrier({ accounts: { lin: 'secret' } })
  const phones: Linphone[] = []
  // The carrier stops last: a phone that cannot unregister is slow to exit.
  t.after(async () => {
    await Promise.all(phones.map((phone) => phone.stop()))
    await carrier.stop()
  })
  const start = async (password: string, transport: 'udp' | 'tcp') => {
    const phone = await startLinphone({ user: 'lin', registrar: { port: carrier.port, password, transport } })
    phones.push(phone)
    return phone
  }
  await (await start('secret', 'udp')).next('registered')
  await (await start('secret', 'tcp')).next('registered')
  await (await start('guess', 'udp')).next('registration failed')
})
