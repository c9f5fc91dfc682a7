// First sign-in: who may set it up, that only one succeeds, and what it stores.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp } from '../../../test/app.ts'
import { browserOf } from '../../../test/browser-client.ts'
import { everyRow } from '../../../test/every-row.ts'
import { isSetupCode, setupCodes } from './setup-code.ts'

const first = { email: ' Ana.Souza@Example.com ', password: 'zebra of ten letters' }

test('at the machine itself the first sign-in is set up without a code, once, for the first user', async () => {
  const base = await startTestApp()
  const browser = browserOf(base)
  const place = { organizations: [], organizationId: null }
  const nobody = { needsSetup: true, needsSetupCode: false, user: null, csrfToken: null, ...place }
  assert.deepEqual((await browser.get('/auth/session')).json, nobody)
  assert.notEqual(base.app.setupCode, null)
  for (const [wrong, message] of [
    [{ ...first, email: 'nobody' }, /^email must be/],
    [{ ...first, email: 'a b@c' }, /^email must be/],
    [{ ...first, password: 'too short' }, /^password must have 10 to 256/],
    [{ ...first, password: 'x'.repeat(257) }, /^password must have 10 to 256/],
    [{ email: first.email }, /password is required/],
    [undefined, /email is required/],
  ] as const)
    assertError(await browser.post('/auth/setup', wrong), 400, message)

  const others = Array.from({ length: 2 }, () => browserOf(base))
  const answers = await Promise.all(others.map((other) => other.post('/auth/setup', first)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const won = others[answers.findIndex(({ status }) => status === 200)] ?? assert.fail()
  const state = (await won.get('/auth/session')).json
  const { user, csrfToken, organizations, organizationId } = state
  assert.deepEqual(state, { ...nobody, needsSetup: false, user, csrfToken, organizations, organizationId })
  assert.equal(csrfToken, won.csrfToken)
  assert.deepEqual([organizations[0].role, organizationId], ['owner', user.id])
  const admin = await base.database.db
    .selectFrom('users')
    .selectAll()
    .where('name', '=', 'admin')
    .executeTakeFirstOrThrow()
  assert.deepEqual(state.user, { id: admin.id, name: 'admin', email: 'ana.souza@example.com', role: 'admin' })
  assertError(await browser.post('/auth/setup', first), 409)
  assert.match(admin.passwordHash ?? '', /^scrypt:15:8:3:/)
  const rows = await everyRow(base.database.db)
  assert.ok(!rows.includes('zebra') && !rows.includes(String(won.cookie)), 'a secret stands in the database')
  const logged = base.logs()
  assert.ok(logged.includes('/auth/setup'))
  for (const secret of ['zebra', String(won.cookie), String(won.csrfToken), 'ana.souza'])
    assert.ok(!logged.includes(secret), `the log holds ${secret}`)
})

test('from anywhere else it needs the code, whatever the request claims about its origin', async () => {
  const base = await startTestApp()
  const code = base.app.setupCode ?? assert.fail()
  const here = browserOf(base)
  const far = browserOf(base, 'http://voice.example.com:3000', '192.0.2.7')
  const rebound = browserOf(base, 'http://evil.example:3000')
  const proxied: Record<string, string>[] = [
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
  ]
  assert.equal((await far.get('/auth/session')).json.needsSetupCode, true)
  assertError(await far.post('/auth/setup', first), 403, /^The setup code is needed/)
  assertError(await rebound.post('/auth/setup', first), 403, /^The setup code is needed/)
  for (const headers of proxied) assertError(await here.post('/auth/setup', first, headers), 403)
  assertError(await here.post('/auth/setup', first, { origin: 'http://evil.example' }), 403, /Origin/)
  assertError(await here.post('/auth/setup', first, { 'sec-fetch-site': 'cross-site' }), 403, /Origin/)

  const wrong = { ...first, setupCode: 'AAAAA-AAAAA' }
  for (let i = 0; i < 20; i++) assertError(await far.post('/auth/setup', wrong), 403, 'The setup code is wrong')
  const refused = await far.post('/auth/setup', { ...first, setupCode: code })
  assertError(refused, 429)
  assert.match(String(refused.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  const other = browserOf(base, 'http://voice.example.com:3000', '192.0.2.8')
  const spoken = code.toLowerCase().replace('-', ' ')
  assert.equal((await other.post('/auth/setup', { ...first, setupCode: spoken })).status, 200)
})

test('a local program that is not our page needs the code', async () => {
  const base = await startTestApp()
  const here = browserOf(base)
  const headers = { 'content-type': 'application/json' }
  const send = (more: object) =>
    here.send({ method: 'POST', url: '/auth/setup', headers, payload: JSON.stringify({ ...first, ...more }) })
  assertError(await send({}), 403, /^The setup code is needed/)
  assert.equal((await here.send({ method: 'GET', url: '/auth/session' })).json.needsSetupCode, true)
  assert.equal((await here.get('/auth/session')).json.needsSetupCode, false)
  assert.equal((await send({ setupCode: base.app.setupCode })).status, 200)
})

test('with a proxy or a public URL the code is always required', async () => {
  const settings: Record<string, string>[] = [{ TRUST_PROXY: 'true' }, { PUBLIC_URL: 'https://voice.example.com' }]
  for (const env of settings) {
    const base = await startTestApp(env)
    assert.equal((await browserOf(base).get('/auth/session')).json.needsSetupCode, true)
    assertError(await browserOf(base).post('/auth/setup', first), 403)
  }
})

test('the code is new at each start, the same in every process, and accepted in any spelling', async () => {
  const base = await startTestApp()
  const { db } = base.database
  const [codes, other] = [setupCodes(db, 'one master key'), setupCodes(db, 'another')]
  const before = base.app.setupCode ?? assert.fail()
  const code = await codes.renew()
  assert.match(code, /^[2-9A-Z]{5}-[2-9A-Z]{5}$/)
  assert.equal(await setupCodes(db, 'one master key').current(), code)
  assert.notEqual(await codes.renew(), code)
  const elsewhere = browserOf(base, 'http://localhost', '192.0.2.1')
  assertError(await elsewhere.post('/auth/setup', { ...first, setupCode: before }), 403, 'The setup code is wrong')
  assert.ok(!(await everyRow(db)).includes(code))
  assert.ok(isSetupCode(code, code) && isSetupCode(` ${code.toLowerCase().replace('-', '')}`, code))
  for (const wrong of ['', '-', code.slice(1), `${code}A`, String(await other.current())])
    assert.ok(!isSetupCode(wrong, code))
  assert.ok(!isSetupCode('', undefined))
})
