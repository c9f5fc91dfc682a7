// Errors in the language of the page: wrong password and code, a taken number, a forbidden action, a deleted record,
// settings.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { codeAt, stepAt } from '../../src/features/auth/totp.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { liveTexts } from '../../web/src/pages/live/live-texts.ts'
import { numbersTexts } from '../../web/src/pages/numbers/numbers-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { anAgent, startTestApp } from '../app.ts'
import { apiOf, openBrowser, type Site, visit, visitSignedIn } from './browser.ts'

const ACCOUNT = { email: 'ana@example.com', password: 'a zebra in the night' }
const g = authTexts.pt
const c = commonTexts.pt

let browser: Browser
let site: Site
let ask: ReturnType<typeof apiOf>

before(async () => {
  const { app } = await startTestApp()
  site = { url: await app.listen(), key: app.firstKey as string }
  ask = apiOf(site)
  browser = await openBrowser()
})

/** Decodes the secret as an authenticator app does (RFC 4648). */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const alertOf = (page: Page) => page.getByRole('alert').first()

test('wrong password, then wrong code at sign-in', async () => {
  const { page, troubles } = await visit(browser, site.url, { language: 'pt' })
  const headers = { 'sec-fetch-site': 'same-origin' }
  const account = await page.request.post('/auth/setup', { data: ACCOUNT, headers })
  const { csrfToken } = await account.json()
  const more = { headers: { ...headers, 'x-csrf-token': csrfToken } }
  const begun = await page.request.post('/auth/second-factor/begin', {
    data: { password: ACCOUNT.password },
    ...more,
  })
  const { secret } = await begun.json()
  const code = codeAt(fromBase32(secret), stepAt(Date.now()))
  const confirmed = await page.request.post('/auth/second-factor/confirm', { data: { code }, ...more })
  assert.equal(confirmed.status(), 200)
  await page.request.post('/auth/logout', { data: {}, ...more })

  await page.goto('/')
  const give = async (password: string) => {
    await page.getByRole('textbox', { name: g.email }).fill(ACCOUNT.email)
    await page.getByRole('textbox', { name: g.password }).fill(password)
    await page.getByRole('button', { name: g.signIn }).click()
  }
  await give('not the password')
  assert.match(await alertOf(page).innerText(), /E-mail ou senha incorretos\./)
  await give(ACCOUNT.password)
  await page.getByRole('heading', { name: g.codeTitle }).waitFor()
  await page.getByRole('textbox', { name: g.code }).fill('000000')
  await page.getByRole('button', { name: g.signIn }).click()
  assert.match(await alertOf(page).innerText(), /O código está errado ou já foi usado\./)
  assert.deepEqual(troubles(['/auth/login']), [])
})

test('a number that is taken, a call that is not allowed, a record that is gone', async () => {
  await ask('POST', '/api/agents', { ...anAgent, name: 'Recepção', direction: 'both' })
  await ask('POST', '/api/did', { phoneNumber: '+551130000003', countryCode: '55' })
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'pt' })
  const t = numbersTexts.pt
  await page.goto('/numbers')
  await page.getByRole('button', { name: t.add }).first().click()
  const form = page.getByRole('dialog', { name: t.add })
  await form.getByRole('textbox', { name: t.number }).fill('+55 11 3000-0003')
  await form.getByRole('button', { name: t.add }).click()
  const taken = alertOf(page)
  await taken.getByText('O número +551130000003 já está cadastrado.').waitFor()
  await taken.getByText(c.couldNot.create).waitFor()

  await page.goto('/live?place')
  const dialog = page.getByRole('dialog', { name: liveTexts.pt.placeTitle })
  await dialog.getByRole('textbox', { name: liveTexts.pt.number }).fill('+881612345678')
  await dialog.getByRole('button', { name: liveTexts.pt.placeGo }).click()
  const refused = alertOf(page)
  await refused.getByText('Chamadas para este número não são permitidas.').waitFor()
  await refused.getByText(c.couldNot.call).waitFor()

  await page.goto('/trunks/gone')
  await page.getByText('Este tronco não existe ou foi excluído.').waitFor()
  await page.getByText(c.couldNot.load).waitFor()
  assert.deepEqual(troubles(['/api/did', '/api/calls/outbound', '/api/trunks/gone']), [])
})

test('the settings of the server are described in Portuguese', async () => {
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'pt' })
  await page.goto('/settings')
  await page.getByRole('textbox', { name: /Buscar/ }).fill('RETENTION_DAYS')
  await page.getByText('exclui conversas, chamadas e gravações mais antigas que isso; vazio: nunca').waitFor()
  assert.deepEqual(troubles(), [])
})
