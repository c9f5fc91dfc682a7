// The second factor: enrollment, sign-in with a code, single use, and removal.
import assert from 'node:assert/strict'
import { randomBytes, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { assertError, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { type BrowserClient, browserOf, signedIn } from '../../../test/browser-client.ts'
import { everyRow } from '../../../test/every-row.ts'
import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { rekey } from '../../db/seals.ts'
import { memoryRateLimiter } from '../../http/rate-limit.ts'
import { userPasswords } from '../users/password-store.ts'
import { attempts } from './attempts.ts'
import { secondFactors } from './second-factor-store.ts'
import { codeAt, stepAt } from './totp.ts'

const password = 'correct horse battery'
/** Lowest cost, because these tests hash often. */
const salt = randomBytes(16)
const kept = `scrypt:1:8:1:${salt.toString('base64url')}:${scryptSync(password, salt, 32, { N: 2 }).toString('base64url')}`

async function withPassword({ database, ana }: TestApp): Promise<string> {
  const email = `${ana.userId}@example.com`
  await userPasswords(database.db).set(ana.userId, email, kept)
  return email
}

/**
 * A code as an app derives it from the QR code. `by`: steps from now; later ones are needed because each code works
 * once.
 */
function codeOf(otpauthUrl: string, by = 0): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...(new URL(otpauthUrl).searchParams.get('secret') ?? '')]
    .map((digit) => digits.indexOf(digit).toString(2).padStart(5, '0'))
    .join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return codeAt(secret, stepAt(Date.now()) + by)
}

async function switchedOn(browser: BrowserClient): Promise<{ url: string; recoveryCodes: string[] }> {
  const begun = await browser.post('/auth/second-factor/begin', { password })
  assert.equal(begun.status, 200, begun.text)
  const confirmed = await browser.post('/auth/second-factor/confirm', { code: codeOf(begun.json.otpauthUrl) })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { url: begun.json.otpauthUrl, recoveryCodes: confirmed.json.recoveryCodes }
}

test('enrolment starts with the password, takes effect once confirmed, and is then required after the password', async () => {
  const base = await testApp()
  const email = await withPassword(base)
  const browser = browserOf(base)
  const login = (more: object = {}) => browserOf(base).post('/auth/login', { email, password, ...more })
  const code6 = { code: '123456' }
  for (const [path, body] of Object.entries({ begin: { password }, confirm: code6, remove: { password, ...code6 } }))
    assertError(await browser.post(`/auth/second-factor/${path}`, body), 401, 'Sign in first')
  assertError(await browser.get('/auth/second-factor'), 401)
  await browser.post('/auth/login', { email, password, code: '000000' })
  assert.deepEqual((await browser.get('/auth/second-factor')).json, { isOn: false, since: null, recoveryCodesLeft: 0 })

  assertError(await browser.post('/auth/second-factor/confirm', { code: '123456' }), 409, /not begun/)
  assertError(await browser.post('/auth/second-factor/remove', { password, code: '123456' }), 409)
  const begin = (given: string, headers = {}) => browser.post('/auth/second-factor/begin', { password: given }, headers)
  assertError(await begin('wrong wrong'), 403, 'The current password is wrong')
  assertError(await begin(password, { 'x-csrf-token': 'x' }), 403)
  const first = (await begin(password)).json
  const begun = (await begin(password)).json
  assert.match(begun.otpauthUrl, /^otpauth:\/\/totp\/Ramal:/)
  assert.ok(begun.qrSvg.startsWith('<svg') && begun.otpauthUrl.includes(begun.secret))
  assert.equal((await login()).status, 200, 'what is only begun is not asked for')
  const confirm = (code: string) => browser.post('/auth/second-factor/confirm', { code })
  assertError(await confirm(codeOf(first.otpauthUrl)), 403, /wrong/)
  const code = codeOf(begun.otpauthUrl)
  const { recoveryCodes } = (await confirm(` ${code.slice(0, 3)} ${code.slice(3)}`)).json
  assert.equal(recoveryCodes.length, 10)
  assertError(await confirm(codeOf(begun.otpauthUrl)), 409)
  assertError(await begin(password), 409, /on already/)
  const { isOn, since, recoveryCodesLeft } = (await browser.get('/auth/second-factor')).json
  assert.deepEqual([isOn, typeof since, recoveryCodesLeft], [true, 'string', 10])

  assertError(await login(), 401, 'A code is needed')
  assertError(await login({ code: ' ' }), 401, 'A code is needed')
  assertError(await login({ code: null }), 401, 'A code is needed')
  assertError(
    await login({ password: 'wrong wrong', code: codeOf(begun.otpauthUrl, 1) }),
    401,
    'Wrong e-mail or password',
  )
  assertError(await login({ code }), 401, 'The code is wrong, or was used already')
  const next = codeOf(begun.otpauthUrl, 1)
  const atOnce = await Promise.all([next, next, next].map((same) => login({ code: same })))
  assert.deepEqual(atOnce.map(({ status }) => status).sort(), [200, 401, 401], 'a code counts once')
  const [recovery = ''] = recoveryCodes
  assert.equal((await login({ code: recovery.toLowerCase().replace('-', ' ') })).status, 200)
  assertError(await login({ code: recovery }), 401)
  assert.equal((await browser.get('/auth/second-factor')).json.recoveryCodesLeft, 9)
  await signedIn(base, base.ana.key) // a key needs no second factor

  const rows = await everyRow(base.database.db)
  const logged = base.logs()
  for (const secret of [begun.secret, ...recoveryCodes, Buffer.from(begun.secret).toString('base64url')])
    assert.ok(!rows.includes(secret) && !logged.includes(secret), 'a secret is readable')
})

test('only its user removes it, with password and code, and it is then not required', async () => {
  const base = await testApp()
  const email = await withPassword(base)
  const browser = browserOf(base)
  await browser.post('/auth/login', { email, password })
  const { url, recoveryCodes } = await switchedOn(browser)
  const remove = (body: object) => browser.post('/auth/second-factor/remove', body)
  assertError(await remove({ password: 'wrong wrong', code: codeOf(url) }), 403, 'The current password is wrong')
  assertError(await remove({ password, code: '12' }), 403, /^The code is wrong/)
  assertError(await remove({ password }), 400)
  const bia = await signedIn(base, base.bia.key)
  assert.equal((await bia.get('/auth/second-factor')).json.isOn, false)
  assertError(await bia.post('/auth/second-factor/begin', { password }), 409, /no password yet/)
  const removed = await remove({ password, code: recoveryCodes[3] })
  assert.deepEqual(removed.json, { isOn: false, since: null, recoveryCodesLeft: 0 })
  assert.equal((await browserOf(base).post('/auth/login', { email, password })).status, 200)
  const again = await switchedOn(browser)
  assertError(await browserOf(base).post('/auth/login', { email, password, code: recoveryCodes[4] }), 401)
  assert.notEqual(again.url, url)
})

test('an expired enrolment starts again, and a new master key decrypts secrets of the old one', async () => {
  const base = await startTestApp()
  const email = await withPassword(base)
  const browser = browserOf(base)
  await browser.post('/auth/login', { email, password })
  const { json } = await browser.post('/auth/second-factor/begin', { password })
  const { db } = base.database
  await db
    .updateTable('secondFactors')
    .set({ createdAt: new Date(Date.now() - 16 * 60_000).toISOString() })
    .execute()
  const late = await browser.post('/auth/second-factor/confirm', { code: codeOf(json.otpauthUrl) })
  assertError(late, 409, /too long ago/)
  const { url } = await switchedOn(browser)
  const old = masterKeys(base.config.masterKeys, base.config.dataDir)
  const ring = keyRing(['another master key of the operator', ...old])
  assert.ok((await rekey(db, ring)) >= 1)
  const fresh = secondFactors(db, keyRing(['another master key of the operator']))
  assert.equal(await fresh.takes(base.ana.userId, codeOf(url, 1)), true)
})

test('wrong codes are counted for an hour, and a recovery code still works', async () => {
  const base = await startTestApp()
  const email = await withPassword(base)
  const browser = browserOf(base)
  await browser.post('/auth/login', { email, password })
  const { url, recoveryCodes } = await switchedOn(browser)
  // Bypasses the password throttle, which would refuse first, as if the attempts were far apart.
  const limiter = memoryRateLimiter()
  const codes = attempts(limiter)
  await (await codes.beginCode(base.ana.userId))()
  for (let i = 0; i < 10; i++) await codes.beginCode(base.ana.userId)
  await assert.rejects(codes.beginCode(base.ana.userId), /wrong codes/)
  await codes.beginCode(base.bia.userId)

  const wrong = codeOf(url, 40)
  const login = (code: string) => browserOf(base).post('/auth/login', { email, password, code })
  const answers = []
  for (let i = 0; i < 11; i++) answers.push((await login(wrong)).status)
  assert.deepEqual(answers, [...Array(10).fill(401), 429])
  assertError(await login(String(recoveryCodes[0])), 429, /as this user/)
})
