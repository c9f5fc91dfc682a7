// When a session ends or a user is disabled on one node, their open streams and sockets on other nodes are closed.
// @run postgres
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { type TestApp, usesPostgres } from '../app.ts'
import { signedIn } from '../browser-client.ts'
import { listenThrough, twoApps, webCallOn } from '../two-apps.ts'
import { until } from '../until.ts'
import { addressOf } from '../web-caller.ts'

/** WebSocket close code after the key or session has ended. */
const REVOKED = 4401

/** Opens the event stream of a session or key on this node. */
async function eventsAt(t: TestContext, node: TestApp, headers: Record<string, string>) {
  const request = get(`${await addressOf(node)}/api/events`, { headers, agent: false })
  t.after(() => request.destroy())
  request.on('error', () => {})
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  answer.on('error', () => {}).resume()
  return { isCut: () => answer.destroyed && !answer.complete }
}

if (usesPostgres) {
  test('signing out at one node ends the event streams and listeners of the session at the other, and no others', async (t) => {
    const { one, two } = await twoApps()
    const { callId } = await webCallOn(t, one, one.ana)
    const [leaves, stays] = [await signedIn(one, one.ana.key), await signedIn(one, one.ana.key)]
    const cookieOf = ({ cookie }: typeof leaves) => ({ cookie: `ramal_session=${cookie}` })
    const events = await eventsAt(t, two, cookieOf(leaves))
    const otherEvents = await eventsAt(t, two, cookieOf(stays))
    const listener = await listenThrough(t, two, leaves, callId)
    const otherListener = await listenThrough(t, two, stays, callId)
    assert.deepEqual([listener.refused, otherListener.refused], [null, null])

    assert.equal((await leaves.post('/auth/logout')).status, 200)
    await until('the event stream is cut', events.isCut)
    assert.equal(await listener.closed, REVOKED)
    const { frames } = otherListener.heard
    await until('the other listener still hears the call', () => otherListener.heard.frames > frames)
    assert.ok(!otherEvents.isCut())
  })

  test('disabling a user at one node ends their streams and calls at the other', async (t) => {
    const { one, two } = await twoApps()
    const admin = await two.newUser('ada', 'admin')
    const { caller } = await webCallOn(t, one, one.ana)
    const browser = await signedIn(one, one.ana.key)
    const streams = [
      await eventsAt(t, one, { cookie: `ramal_session=${browser.cookie}` }),
      await eventsAt(t, one, { 'x-api-key': one.ana.key }),
    ]

    const { status } = await admin.patch(`/api/users/${one.ana.userId}`, { isActive: false })
    assert.equal(status, 200)
    await until('the streams are cut', () => streams.every(({ isCut }) => isCut()))
    assert.equal((await caller.until('ended')).endReason, 'canceled_by_api')
  })
}
