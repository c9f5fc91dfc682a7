// The baresip helper itself: calls, codecs, encryption, failures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../until.ts'
import { startBaresip } from './baresip.ts'
import { heardMs, listen, loudestHz } from './spectrum.ts'

test('two baresips call each other: audio, DTMF, hold, resume and hangup', async (t) => {
  const alice = await startBaresip({ user: 'alice', says: { hz: 700 } })
  t.after(alice.stop)
  const bob = await startBaresip({ user: 'bob', says: 'echo', answer: 'manual', codecs: ['pcma'] })
  t.after(bob.stop)
  await alice.dial(bob.uri)
  await bob.next('CALL_INCOMING')
  await bob.accept()
  await Promise.all([alice.next('CALL_ESTABLISHED'), bob.next('CALL_ESTABLISHED')])
  await until('alice hears her echo', () => heardMs(listen(alice.heard()), 700) > 600)
  assert.ok(Math.abs((loudestHz(listen(bob.heard())) ?? 0) - 700) <= 5)
  await alice.press('12#')
  await until('bob has the keys', () => bob.digits() === '12#')
  await alice.hold()
  await alice.resume()
  assert.match(await alice.calls(), /ESTABLISHED/)
  await bob.hangUp()
  await alice.next('CALL_CLOSED')
})

test('the requested codec and encryption are used', async (t) => {
  for (const [codec, rateHz, mediaenc] of [
    ['g722', 16_000, 'srtp-mand'],
    ['opus', 48_000, 'srtp'],
  ] as const) {
    const how = { codecs: [codec], rateHz, mediaenc, digits: 'info' as const }
    const [alice, bob] = [await startBaresip({ user: 'alice', ...how }), await startBaresip({ user: 'bob', ...how })]
    t.after(alice.stop)
    t.after(bob.stop)
    await alice.dial(bob.uri)
    await alice.next('CALL_ESTABLISHED')
    await until(`bob hears alice by ${codec}`, () => heardMs(listen(bob.heard()), 1000) > 300)
    assert.equal(listen(bob.heard()).rateHz, rateHz)
    await alice.press('4')
    await until('bob has the key', () => bob.digits() === '4')
  }
})

test('an unreachable phone is reported as such', async (t) => {
  const alice = await startBaresip()
  t.after(alice.stop)
  await alice.dial('sip:nobody@127.0.0.1:9;transport=tcp')
  assert.equal((await alice.next('CALL_CLOSED')).type, 'CALL_CLOSED')
  await assert.rejects(alice.next('CALL_ESTABLISHED', 50), /it told .*CALL_CLOSED/s)
})

test('a baresip that cannot register says so', async (t) => {
  const nobody = { port: 9, password: 'x', transport: 'tcp' as const }
  const alice = await startBaresip({ registrar: nobody })
  t.after(alice.stop)
  await alice.next('REGISTER_FAIL')
})
