// The server's addresses, set on the page: from the device card to the settings, and still in effect after the restart.
// @run sqlite: with PostgreSQL the addresses of each node come from its environment
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { addressesTexts } from '../../web/src/pages/settings/addresses-texts.ts'
import { freePort } from '../servers.ts'
import { newDataDir, type Service, startService } from '../service.ts'
import { assertAccessible, openBrowser, visit } from './browser.ts'

const ACCOUNT = { email: 'ana@example.com', password: 'uma senha bem comprida' }
const PUBLIC_URL = 'https://voz.example.com.br'

let browser: Browser
let service: Service

before(async () => {
  const port = String(await freePort()) // the same port after the restart
  service = await startService(newDataDir(), { PORT: port, PUBLIC_ADDRESS: '203.0.113.7' })
  browser = await openBrowser()
})

for (const screen of ['desk', 'phone'] as const)
  test(`an administrator sets the public address, and the page goes on after the restart (${screen})`, async () => {
    const t = addressesTexts.pt
    const { page, troubles } = await visit(browser, service.url, { language: 'pt', screen })
    const started = screen === 'desk' ? '/auth/setup' : '/auth/login'
    await page.request.post(started, { data: ACCOUNT, headers: { 'sec-fetch-site': 'same-origin' } })
    await page.goto('/devices')
    await page.getByRole('link', { name: t.setHere }).click()
    await page.waitForURL(/\/settings\?tab=addresses$/)
    const publicUrl = page.getByRole('textbox', { name: t.publicUrl })
    await page.getByText(t.fixed('PUBLIC_ADDRESS')).waitFor()
    assert.ok(await page.getByRole('textbox', { name: t.publicAddress }).isDisabled())
    await assertAccessible(page, 'the addresses of the server')

    await publicUrl.fill('voz.example.com.br')
    await page.getByRole('button', { name: t.save }).click()
    await page.getByRole('dialog', { name: t.question }).getByRole('button', { name: t.save }).click()
    await page.getByRole('alert').waitFor() // not a web address, so nothing restarts
    await publicUrl.fill(`${PUBLIC_URL}/${screen}`)
    await page.getByRole('button', { name: t.save }).click()
    await page.getByRole('dialog', { name: t.question }).getByRole('button', { name: t.save }).click()
    await page.getByText(t.done).waitFor()
    await page.reload()
    await publicUrl.waitFor()
    assert.equal(await publicUrl.inputValue(), `${PUBLIC_URL}/${screen}`)
    assert.ok(await page.getByRole('button', { name: t.save }).isDisabled())
    // The server is unavailable for a moment, and refuses one address.
    assert.deepEqual(
      troubles().filter((trouble) => !/ERR_|40[0-9]|50[0-9]|fetch/.test(trouble)),
      [],
    )
  })
