import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSessionFetch, RepeatableRequest } from './session-fetch.ts'

const URL_OF_AGENTS = 'https://ramal.example/api/agents'
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A page of Ana's whose session has ended: the server rejects every request until `signIn`. */
function page() {
  const sent: { method: string; body: string; csrf: string | null }[] = []
  let user: { id: string } | null = null
  let isUnreachable = false
  let suspicions = 0
  const session = createSessionFetch({
    async fetch(request) {
      if (isUnreachable) throw new TypeError('fetch failed')
      sent.push({ method: request.method, body: await request.text(), csrf: request.headers.get('x-csrf-token') })
      return new Response(null, { status: user?.id === 'ana' ? 200 : 401 })
    },
    async fetchSession() {
      if (isUnreachable) throw new TypeError('fetch failed')
      return { user }
    },
    csrfHeader: () => ({ 'x-csrf-token': user ? 'new' : 'old' }),
    suspect: () => void suspicions++,
  })
  session.setPageUser('ana')
  return {
    session,
    sent,
    suspicions: () => suspicions,
    save: (init: RequestInit = {}) =>
      session.sessionFetch(new RepeatableRequest(URL_OF_AGENTS, { method: 'POST', body: '{"name":"A"}', ...init })),
    signIn(id = 'ana') {
      user = { id }
      session.resolveSignIn(id === 'ana' ? 'same-user' : 'dropped')
    },
    signInElsewhere: () => {
      user = { id: 'ana' }
    },
    cut: () => {
      isUnreachable = true
    },
  }
}

test('a refused request waits for the sign-in, and is then sent again with its body and the new token', async () => {
  const { session, sent, save, signIn } = page()
  const changes: boolean[] = []
  session.subscribe(() => changes.push(session.isSignInNeeded()))
  const saving = save({ headers: { 'x-csrf-token': 'old' } })
  await settle()
  assert.ok(session.isSignInNeeded())
  signIn()
  assert.equal((await saving).status, 200)
  assert.deepEqual(changes, [true, false])
  assert.deepEqual(sent, [
    { method: 'POST', body: '{"name":"A"}', csrf: 'old' },
    { method: 'POST', body: '{"name":"A"}', csrf: 'new' },
  ])
})

test('several refused requests ask for one sign-in', async () => {
  const { session, sent, save, signIn } = page()
  const all = [save(), save(), save()]
  await settle()
  signIn()
  assert.deepEqual(
    (await Promise.all(all)).map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(sent.length, 6)
  assert.ok(!session.isSignInNeeded())
})

test('nothing of the page is sent for another user', async () => {
  const { session, sent, save, signIn } = page()
  const saving = save()
  await settle()
  signIn('bruno')
  assert.equal((await saving).status, 401)
  assert.equal(sent.length, 1)
  session.setPageUser(null)
  assert.equal(await session.signInAgain(), 'dropped')
})

test('no password is asked for while the session lives or the server cannot be reached', async () => {
  const { session, save, signInElsewhere, cut, suspicions } = page()
  signInElsewhere()
  assert.equal(await session.signInAgain(), 'not-ended')
  cut()
  assert.equal(await session.signInAgain(), 'not-ended')
  await assert.rejects(save(), TypeError)
  assert.equal(suspicions(), 1)
  await assert.rejects(save({ signal: AbortSignal.abort() }), TypeError)
  assert.equal(suspicions(), 1, 'a request that the page gave up says nothing about the server')
  assert.ok(!session.isSignInNeeded())
})

test('a request that cannot be repeated is answered with its refusal', async () => {
  const { session, sent, signIn } = page()
  const asking = session.sessionFetch(new Request(URL_OF_AGENTS))
  await settle()
  signIn()
  assert.equal((await asking).status, 401)
  assert.equal(sent.length, 1)
})
