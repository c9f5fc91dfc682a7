// The peer connection outside its worker: which servers it asks, incompatible offers, and a slow handshake.
import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { webPeer } from '../../test/web-peer.ts'
import { openPeer } from './peer.ts'

const events = { onAudio() {}, onMessage() {}, onConnected() {}, onHangup() {} }
const settings = (iceServers: { urls: string }[]) => ({
  codec: 'PCMU' as const,
  iceServers,
  ports: { from: 20_000, to: 29_999 },
  host: '127.0.0.1',
})

/** Counts the names that are looked up while an offer is answered. */
async function lookups(iceServers: { urls: string }[]): Promise<number> {
  const browser = await webPeer('PCMU', { hz: 1000 })
  let names = 0
  const watch = createHook({
    init(_id, type) {
      if (type === 'GETADDRINFOREQWRAP') names++
    },
  })
  watch.enable()
  const peer = await openPeer(browser.offer, settings(iceServers), events)
  watch.disable()
  assert.match(peer.answer, /a=candidate:/)
  await Promise.all([peer.close(), browser.close()])
  return names
}

test('without a configured STUN server none is queried', async () => {
  assert.equal(await lookups([]), 0)
  assert.ok((await lookups([{ urls: 'stun:stun.invalid:3478' }])) > 0, 'a configured one is')
})

test('an offer without audio is not answered', async () => {
  const browser = await webPeer('PCMU', { hz: 1000 })
  const offer = browser.offer.replace(/m=audio[\s\S]*?(?=m=application)/, '')
  await assert.rejects(openPeer(offer, settings([]), events))
  await browser.close()
})

test('a repeated HelloVerifyRequest does not end the handshake', async (t) => {
  const browser = await webPeer('PCMU', { hz: 1000 })
  t.after(() => browser.close())
  browser.repeatVerifyRequests()
  const connected = Promise.withResolvers<boolean>()
  const peer = await openPeer(browser.offer, settings([]), { ...events, onConnected: connected.resolve })
  t.after(() => peer.close())
  await browser.accept(peer.answer)
  assert.equal(await connected.promise, true)
})
