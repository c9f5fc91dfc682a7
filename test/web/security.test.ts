// Account security: second factor from the QR code on screen, sessions listed and ended.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import jsQR from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { codeAt, stepAt } from '../../src/features/auth/totp.ts'
import { securityTexts } from '../../web/src/pages/settings/security-texts.ts'
import { settingsTexts } from '../../web/src/pages/settings/settings-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { crashTexts } from '../../web/src/shell/crash-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { startTestApp } from '../app.ts'
import { assertAccessible, openBrowser, type Site, visit, visitSignedIn } from './browser.ts'

const ACCOUNT = { email: 'ana@example.com', password: 'a zebra in the night' }
const t = securityTexts.en
const g = authTexts.en

let browser: Browser
let site: Site

before(async () => {
  const { app } = await startTestApp()
  site = { url: await app.listen(), key: app.firstKey as string }
  browser = await openBrowser()
})

async function giveAccount(page: Page, password = ACCOUNT.password): Promise<void> {
  await page.getByRole('textbox', { name: g.email }).fill(ACCOUNT.email)
  await page.getByRole('textbox', { name: g.password }).fill(password)
  await page.getByRole('button', { name: g.signIn }).click()
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: g.code }).fill(code)
  await page.getByRole('button', { name: g.signIn }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: new RegExp(navigationTexts.en.account) }).click()
  await page.getByRole('menuitem', { name: navigationTexts.en.signOut }).click()
}

/**
 * What an authenticator app makes of the scanned code. `by`: steps from now, because each code is accepted only once.
 */
function appOf(png: Buffer): (by?: number) => string {
  const { data, width, height } = PNG.sync.read(png)
  const seen = (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(data), width, height)
  const url = new URL(seen?.data ?? assert.fail('there is no QR code in the picture'))
  assert.equal(url.protocol, 'otpauth:')
  assert.equal(decodeURIComponent(url.pathname), `/Ramal:${ACCOUNT.email}`)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...(url.searchParams.get('secret') ?? '')].map((d) => digits.indexOf(d).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const secret = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
  return (by = 0) => codeAt(secret, stepAt(Date.now()) + by)
}

test('turn on the second factor by QR code, sign in with a code, turn it off', async () => {
  const { page, troubles } = await visit(browser, site.url, { language: 'en' })
  await page.request.post('/auth/setup', { data: ACCOUNT, headers: { 'sec-fetch-site': 'same-origin' } })
  await page.goto('/settings?tab=security')
  const part = page.getByRole('region', { name: t.factor })
  await part.getByText(t.off, { exact: true }).waitFor()
  await page.getByRole('button', { name: t.switchOn }).click()
  const dialog = page.getByRole('dialog', { name: t.onTitle })
  const sayPassword = async (password: string) => {
    await dialog.getByRole('textbox', { name: t.password }).fill(password)
    await dialog.getByRole('button', { name: t.go }).click()
  }
  await sayPassword('not the password')
  await dialog.getByRole('alert').waitFor()
  await sayPassword(ACCOUNT.password)
  const picture = dialog.getByRole('img', { name: t.qr })
  await picture.waitFor()
  await assertAccessible(page, 'the picture to scan')
  const code = appOf(await picture.screenshot())
  const confirm = async (given: string) => {
    await dialog.getByRole('textbox', { name: t.code }).fill(given)
    await dialog.getByRole('button', { name: t.confirm }).click()
  }
  await confirm('000000')
  await dialog.getByRole('alert').waitFor()
  await confirm(code())
  const once = page.getByRole('dialog', { name: t.recovery })
  const recovery = (await once.locator('[data-secret]').innerText()).split('\n')
  assert.equal(recovery.length, 10)
  await once.getByRole('button', { name: 'Copy' }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), recovery.join('\n'))
  await once.getByRole('button', { name: t.kept }).click()
  await part.getByText(t.on, { exact: true }).waitFor()
  await page.getByText(t.codesLeft(10)).waitFor()

  await signOut(page)
  await giveAccount(page)
  await page.getByRole('heading', { name: g.codeTitle }).waitFor()
  await assertAccessible(page, 'asked for a code')
  await giveCode(page, '000000')
  await page.getByRole('alert').waitFor()
  await giveCode(page, code(1))
  await page.getByRole('heading', { name: settingsTexts.en.title, level: 1 }).waitFor()

  await signOut(page)
  await giveAccount(page)
  await giveCode(page, (recovery[0] ?? '').toLowerCase())
  await page.getByText(t.codesLeft(9)).waitFor()
  await page.getByRole('button', { name: t.switchOff }).click()
  const off = page.getByRole('dialog', { name: t.offTitle })
  await off.getByRole('textbox', { name: t.password }).fill(ACCOUNT.password)
  await off.getByRole('textbox', { name: t.codeOrRecovery }).fill(recovery[1] ?? '')
  await off.getByRole('button', { name: t.switchOff }).click()
  await part.getByText(t.off, { exact: true }).waitFor()
  assert.deepEqual(troubles(['/auth/second-factor', '/auth/login']), [])
})

test('end another session, which signs out its open page; then end all others', async () => {
  const here = await visitSignedIn(browser, site, { language: 'en' })
  const there = await visitSignedIn(browser, site, { language: 'en', screen: 'phone' })
  const third = await visitSignedIn(browser, site, { language: 'en' })
  await there.page.goto('/agents')
  await there.page.locator('main h1').waitFor()
  await third.page.goto('/keys')
  await third.page.locator('main h1').waitFor()
  const { page } = here
  await page.goto('/settings?tab=security')
  const rows = page.getByRole('list', { name: t.sessions }).getByRole('listitem')
  const own = rows.filter({ hasText: t.current })
  await own.waitFor()
  assert.equal(await own.count(), 1)
  assert.match(await own.innerText(), /Chrome, Linux[\s\S]*· 127\.0\.0\.1/)
  assert.equal(await own.getByRole('button').count(), 0)
  await assertAccessible(page, 'the sessions')

  const { id } = (await (await there.page.request.get('/auth/sessions')).json()).find(
    ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
  )
  const row = page.locator(`[data-session="${id}"]`)
  await row.getByRole('button', { name: /^Sign out/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.endOne, exact: true }).click()
  await row.waitFor({ state: 'detached' })
  await there.page.getByRole('dialog', { name: crashTexts.en.sessionTitle }).waitFor()

  assert.equal(await third.page.getByRole('dialog', { name: crashTexts.en.sessionTitle }).count(), 0)
  await page.getByRole('button', { name: t.endOthers }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.endOthers }).click()
  await page.getByText(t.othersEnded).waitFor()
  assert.equal(await rows.count(), 1)
  await third.page.getByRole('dialog', { name: crashTexts.en.sessionTitle }).waitFor()
  assert.deepEqual(here.troubles(), [])
  assert.deepEqual(there.troubles(['401 GET']), []) // the event stream, and the page's polling
})
