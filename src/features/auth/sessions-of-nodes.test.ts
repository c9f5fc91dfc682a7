// Two nodes on one database: once one of them acknowledges the end of a session, both refuse it.
import assert from 'node:assert/strict'
import { randomBytes, scryptSync } from 'node:crypto'
import { before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Client, newPostgresDatabase, startTestApp, type TestApp } from '../../../test/app.ts'
import { type BrowserClient, browserOf, signedIn } from '../../../test/browser-client.ts'
import { userPasswords } from '../users/password-store.ts'

const password = 'correct horse battery'
/** Lowest cost. */
const salt = randomBytes(16)
const hash = `scrypt:1:8:1:${salt.toString('base64url')}:${scryptSync(password, salt, 32, { N: 2 }).toString('base64url')}`

type Nodes = { one: TestApp; two: TestApp; admin: Client }
type Ending = { nodes: Nodes; user: Client; browser: BrowserClient; other: BrowserClient }

let nodes: Nodes
before(async () => {
  const env = { DATABASE_URL: await newPostgresDatabase({ isMigrated: true }), MASTER_KEY: 'm'.repeat(32) }
  const [one, two] = [
    await startTestApp({ ...env, NODE_NAME: 'one' }),
    await startTestApp({ ...env, NODE_NAME: 'two' }),
  ]
  nodes = { one, two, admin: await one.newUser('ada', 'admin') }
})

/** Ends the session of `browser` through node one; `other` is another session of the same user. Returns the status. */
const endings: Record<string, (ending: Ending) => Promise<number>> = {
  'signing out': async ({ browser }) => (await browser.post('/auth/logout')).status,
  'signing in again': async ({ browser, user }) => (await browser.post('/auth/login', { apiKey: user.key })).status,
  'ending it from another session': async ({ browser, other }) => {
    const sessions = (await browser.get('/auth/sessions')).json as { id: string; isCurrent: boolean }[]
    return (await other.delete(`/auth/sessions/${sessions.find(({ isCurrent }) => isCurrent)?.id}`)).status
  },
  'ending all other sessions': async ({ other }) => (await other.delete('/auth/sessions')).status,
  'a new password': async ({ nodes: { one }, user, other }) => {
    await userPasswords(one.database.db).set(user.userId, `${user.userId}@example.com`, hash)
    const change = { currentPassword: password, newPassword: `${password} staple` }
    return (await other.post('/auth/password', change)).status
  },
  'a password link': async ({ nodes: { one, admin }, user }) => {
    const email = `${user.userId}@example.com`
    const link = (await admin.post(`/api/users/${user.userId}/password-link`, { email })).json.path as string
    const token = link.replace('/invite#', '')
    return (await browserOf(one).post('/auth/invitation/accept', { token, password })).status
  },
  'a second factor that is removed': async ({ nodes: { one, admin }, user }) => {
    const at = new Date().toISOString()
    const row = { userId: user.userId, secretSealed: 'x', createdAt: at, confirmedAt: at, lastStep: 0 }
    await one.database.db.insertInto('secondFactors').values(row).execute()
    return (await admin.post(`/api/users/${user.userId}/remove-second-factor`)).status
  },
  'disabling the user': async ({ nodes: { admin }, user }) =>
    (await admin.patch(`/api/users/${user.userId}`, { isActive: false })).status,
}

for (const [name, end] of Object.entries(endings))
  test(`${name}: no node accepts the session after the acknowledgement`, async () => {
    const user = await nodes.one.newUser('ana')
    const browser = await signedIn(nodes.one, user.key)
    const other = await signedIn(nodes.one, user.key)
    const streams = [nodes.one, nodes.two].map((node) => requestStream(node, browser.cookie))
    try {
      while (streams.some(({ before }) => before.length < 20)) await turn()
      for (const { before } of streams) for (const status of before) assert.equal(status, 200)
      assert.equal(await end({ nodes, user, browser, other }), 200)
      for (const stream of streams) stream.hasEnded = true
      while (streams.some(({ after }) => after.length < 20)) await turn()
      // 429 is fine too: this many refusals count as guessing.
      for (const { after } of streams) for (const status of after) assert.ok(status === 401 || status === 429)
    } finally {
      for (const stream of streams) stream.isOver = true
      await Promise.all(streams.map(({ done }) => done))
    }
  })

/** Continuous requests, so that the session is always cached when it ends. */
function requestStream({ anonymous }: TestApp, cookie: string) {
  const headers = { cookie: `ramal_session=${cookie}`, 'sec-fetch-site': 'same-origin' }
  const stream = { before: [] as number[], after: [] as number[], hasEnded: false, isOver: false }
  const send = async () => {
    while (!stream.isOver) {
      const { hasEnded } = stream // read when the request starts
      const { status } = await anonymous({ method: 'GET', url: '/api/agents', headers })
      const statuses = hasEnded ? stream.after : stream.before
      statuses.push(status)
      await turn()
    }
  }
  return Object.assign(stream, { done: send() })
}
