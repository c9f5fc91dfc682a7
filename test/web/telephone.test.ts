// Telephony pages: numbers, trunks with diagnostics, and a phone linked by QR code.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import jsQR from 'jsqr'
import type { Browser, Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { answerHookTexts } from '../../web/src/components/answer-hook/answer-hook-texts.ts'
import { phoneTexts } from '../../web/src/components/phone-texts.ts'
import { removalTexts } from '../../web/src/components/removal-texts.ts'
import { usageTexts } from '../../web/src/components/usage-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { devicesTexts } from '../../web/src/pages/devices/devices-texts.ts'
import { linkDeviceTexts } from '../../web/src/pages/devices/link-device-texts.ts'
import { numbersTexts } from '../../web/src/pages/numbers/numbers-texts.ts'
import { doctorTexts } from '../../web/src/pages/trunks/doctor-texts.ts'
import { trunkFormTexts } from '../../web/src/pages/trunks/trunk-form-texts.ts'
import { trunksTexts } from '../../web/src/pages/trunks/trunks-texts.ts'
import { anAgent } from '../app.ts'
import { type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { startLinphone } from '../phones/linphone.ts'
import { freeSipPort } from '../phones/ports.ts'
import { until } from '../until.ts'
import { answersTo, apiOf, assertAccessible, openBrowser, type Site, visitSignedIn } from './browser.ts'

const c = commonTexts.en
const SECRET = 'a-password-of-a-trunk'

let app: PhoneApp
let browser: Browser
let site: Site
let ask: ReturnType<typeof apiOf>

before(async () => {
  // Reachable for phones: on loopback the page would show no code.
  app = await startPhoneApp({ HOST: '0.0.0.0', SIP_HOST: '0.0.0.0' })
  const { port } = new URL(await app.app.listen())
  site = { url: `http://127.0.0.1:${port}`, key: app.app.firstKey as string }
  ask = apiOf(site)
  browser = await openBrowser()
  for (const name of ['Reception', 'Night desk']) await ask('POST', '/api/agents', { ...anAgent, name })
})

const open = () => visitSignedIn(browser, site, { language: 'en' })
const choose = async (within: Page | Locator, page: Page, label: string, option: string) => {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('add a number, assign it to an agent, reassign it, delete it', async () => {
  const t = numbersTexts.en
  const { page, troubles } = await open()
  await page.goto('/numbers')
  await page.getByText(t.emptyTitle).waitFor()
  await page.getByRole('button', { name: t.add }).first().click()
  const form = page.getByRole('dialog', { name: t.add })
  const typed = form.getByRole('textbox', { name: t.number })
  const p = phoneTexts.en
  await typed.fill('3000-0003')
  await form.getByRole('button', { name: t.add }).click()
  await form.getByText(p.wrong).waitFor()
  // In national format, with the country next to it.
  await form.getByRole('combobox', { name: p.country }).click()
  await page.getByRole('option', { name: 'Brazil (+55)' }).click()
  await typed.fill('(11) 3000-0003')
  await form.getByText('+55 11 3000-0003').waitFor()
  await choose(form, page, t.agent, 'Reception')
  await form.getByRole('button', { name: t.add }).click()
  const tested = page.getByRole('dialog', { name: t.editTitle('+55 11 3000-0003') })
  await tested.getByText(p.check.agent('Reception')).waitFor()
  await tested.getByText(p.check.trunkNone).waitFor()
  await tested.getByRole('button', { name: p.done }).click()
  const row = page.getByRole('row', { name: /\+55 11 3000-0003/ })
  const entry = async (name: string) => {
    await row.getByRole('button', { name: removalTexts.en.moreOf('+55 11 3000-0003') }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await row.getByRole('link', { name: 'Reception' }).waitFor()
  await row.getByText(t.active).waitFor()

  await entry(c.edit)
  const editing = page.getByRole('dialog', { name: t.editTitle('+55 11 3000-0003') })
  await choose(editing, page, t.agent, 'Night desk')
  await editing.getByRole('switch', { name: t.isActive }).uncheck()
  await editing.getByRole('button', { name: c.save }).click()
  await editing.getByText(p.check.numberOff).waitFor()
  await editing.getByRole('button', { name: p.done }).click()
  await row.getByRole('link', { name: 'Night desk' }).waitFor()
  await row.getByText(t.inactive).waitFor()
  const [did] = await ask('GET', '/api/did')
  assert.deepEqual([did.phoneNumber, did.status], ['+551130000003', 'inactive'])

  // The same number again: the page shows the server's refusal and keeps the typed text.
  await page.getByRole('button', { name: t.add }).first().click()
  await typed.fill('+551130000003')
  await form.getByRole('button', { name: t.add }).click()
  await page.getByText(c.couldNot.create).waitFor()
  assert.equal(await typed.inputValue(), '+551130000003')
  await form.getByRole('button', { name: c.cancel }).click()

  await entry(c.remove)
  await page.getByText(t.emptyTitle).waitFor()
  await page.getByRole('button', { name: removalTexts.en.undo }).click()
  await row.waitFor()
  await entry(c.remove)
  await page.getByText(t.emptyTitle).waitFor()
  // Leaving the page sends the request.
  await page.goto('/trunks')
  await until('it is deleted', async () => (await ask('GET', '/api/did')).length === 0)
  assert.deepEqual(troubles(['409 POST']), [])
})

test('create a trunk from a preset; its password is never shown again, and the diagnostics name the problem', async () => {
  const [t, f, d] = [trunksTexts.en, trunkFormTexts.en, doctorTexts.en]
  const { page, troubles } = await open()
  const closed = await freeSipPort()
  const got = await answersTo(page)
  await page.goto('/trunks')
  await page.getByRole('button', { name: t.make }).first().click()
  const form = page.getByRole('dialog', { name: t.make })
  await form.getByRole('radio', { name: f.presets.pbx.name }).click()
  await form.getByText(f.pbxHint).waitFor()
  await form.getByRole('button', { name: f.creating }).click()
  await form.getByText(f.passwordMissing).waitFor()
  await form.getByRole('textbox', { name: f.name, exact: true }).fill('Office PBX')
  await form.getByRole('textbox', { name: f.host }).fill('127.0.0.1')
  await form.getByRole('textbox', { name: f.username, exact: true }).fill('300')
  await form.getByRole('textbox', { name: f.password }).fill(SECRET)
  await form.getByRole('button', { name: f.advanced }).click()
  await form.getByRole('textbox', { name: f.port, exact: true }).fill(String(closed))
  await form.getByRole('button', { name: f.creating }).click()
  await page.getByRole('heading', { name: 'Office PBX', level: 1 }).waitFor()

  const [trunk] = await ask('GET', '/api/trunks')
  assert.deepEqual(
    [trunk.authMode, trunk.mediaEncryption, trunk.numberFormat.leadingPlus, trunk.port, trunk.hasPassword],
    ['register', 'disabled', false, closed, true],
  )
  const password = page.getByRole('main').getByRole('textbox', { name: f.password })
  assert.equal(await password.inputValue(), '')
  assert.equal(await password.getAttribute('placeholder'), f.passwordKept)

  await page.getByRole('button', { name: d.run }).click()
  await page.getByText(d.trouble).waitFor({ timeout: 30_000 })
  await page.getByText(d.causes.wrong_port).waitFor()
  await page
    .getByText(new RegExp(`127.0.0.1:${closed}`))
    .first()
    .waitFor()
  await assertAccessible(page, 'the report of the doctor')

  // Saving another field does not touch the password.
  await page.getByRole('textbox', { name: f.name, exact: true }).fill('Office')
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await page.getByRole('heading', { name: 'Office', level: 1, exact: true }).waitFor()
  assert.equal((await ask('GET', `/api/trunks/${trunk.id}`)).hasPassword, true)
  const answers = await got()
  assert.ok(answers.includes('Office PBX'))
  await page.reload()
  await page.getByRole('heading', { name: 'Office', level: 1 }).waitFor()
  assert.ok(!(answers + (await got())).includes(SECRET))
  assert.ok(!(await page.content()).includes(SECRET))

  // The same dialog as elsewhere adds a number here, with the trunk already selected.
  const p = phoneTexts.en
  await page.getByRole('button', { name: t.addNumber }).click()
  const adding = page.getByRole('dialog', { name: numbersTexts.en.add })
  await adding.getByRole('textbox', { name: numbersTexts.en.number }).fill('+551130000009')
  await choose(adding, page, numbersTexts.en.agent, 'Reception')
  await adding.getByRole('button', { name: numbersTexts.en.add }).click()
  const added = page.getByRole('dialog', { name: numbersTexts.en.editTitle('+55 11 3000-0009') })
  await added.getByText(p.check.agent('Reception')).waitFor()
  await added.getByRole('button', { name: p.testTrunk }).click()
  await added.getByText(d.causes.wrong_port).waitFor({ timeout: 30_000 })
  await added.getByRole('button', { name: p.done }).click()
  await page.getByText('+55 11 3000-0009').first().waitFor()
  const removeIt = async () => {
    await page.getByRole('button', { name: removalTexts.en.more, exact: true }).click()
    await page.getByRole('menuitem', { name: t.remove }).click()
  }
  await removeIt()
  const sure = page.getByRole('dialog', { name: t.removeQuestion('Office') })
  await sure.getByText(usageTexts.en.inUse('Reception')).waitFor()
  await sure.getByRole('button', { name: c.cancel }).click()
  await page.getByRole('button', { name: t.unlinkNamed('Reception') }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.unlink, exact: true }).click()
  await page.getByText(t.linksEmpty).waitFor()

  await removeIt()
  await page.getByText(t.emptyTitle).waitFor()
  await page.goto('/devices')
  await until('it is deleted', async () => (await ask('GET', '/api/trunks')).length === 0)
  assert.deepEqual(troubles([`404 GET ${site.url}/api/trunks/`]), [])
})

test('link a phone by the QR code on the page; the page shows it connect and disconnect', async (t1) => {
  const [t, l] = [devicesTexts.en, linkDeviceTexts.en]
  const { page, troubles } = await open()
  await page.goto('/devices')
  await page.getByText(t.emptyTitle).waitFor()
  await page.getByRole('button', { name: t.make }).first().click()
  const form = page.getByRole('dialog', { name: t.make })
  await form.getByRole('textbox', { name: t.name }).fill('Mobile of Ana')
  await choose(form, page, t.agent, 'Reception')
  await form.getByRole('button', { name: c.create }).click()

  const linking = page.getByRole('dialog', { name: l.title('Mobile of Ana') })
  await linking.getByText(t.status.waiting_phone).waitFor()
  const [device] = await ask('GET', '/api/gateway/devices')
  const picture = linking.getByRole('img', { name: l.qr })
  await page.waitForFunction((img) => (img as HTMLImageElement).complete, await picture.elementHandle())
  const url = scan(await picture.screenshot())
  assert.match(url, /^http:\/\/[\d.]+:\d+\/provision\/[\w-]{32}$/)
  await assertAccessible(page, 'the linking of a phone')

  // The phone is given only the URL in the QR code.
  const phone = await startLinphone({ provisioning: url })
  t1.after(phone.stop)
  await linking.getByText(l.connected).waitFor({ timeout: 60_000 })
  await linking.getByRole('button', { name: c.close }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'Mobile of Ana' })
  await card.getByText(t.status.connected, { exact: true }).waitFor()

  await card.getByRole('button', { name: t.menu('Mobile of Ana') }).click()
  await page.getByRole('menuitem', { name: t.unlink }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.unlink }).click()
  await card.getByText(t.status.disconnected).waitFor()
  assert.equal((await ask('GET', `/api/gateway/devices/${device.id}`)).status, 'disconnected')

  await card.getByRole('button', { name: t.menu('Mobile of Ana') }).click()
  await page.getByRole('menuitem', { name: t.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.remove }).click()
  await page.getByText(t.emptyTitle).waitFor()
  assert.deepEqual(troubles(), [])
})

/** Decodes a QR code, as a phone's camera does. */
function scan(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png)
  const seen = (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(data), width, height)
  return seen?.data ?? assert.fail('there is no QR code in the picture')
}

test('a number gets an answer hook: a spreadsheet is chosen, saved and tested', async () => {
  const h = answerHookTexts.en
  await ask('POST', '/api/did', { phoneNumber: '+551130000077', countryCode: '55' })
  const sheet = (await ask('POST', '/api/spreadsheets', { name: 'Customers', columns: ['Phone', 'Name'] })) as {
    id: string
  }
  await ask('POST', `/api/spreadsheets/${sheet.id}/rows`, { values: { Phone: '(11) 98765-4321', Name: 'Ana' } })
  const { page } = await open()
  await page.goto('/numbers')
  await page.getByRole('row').filter({ hasText: '3000-0077' }).getByRole('button').last().click()
  await page.getByRole('menuitem', { name: h.open }).click()
  const dialog = page.getByRole('dialog', { name: h.title })
  await dialog.getByText(h.kinds.spreadsheet, { exact: true }).click()
  await choose(dialog, page, h.sheet, 'Customers')
  await choose(dialog, page, h.column, 'Phone')
  await dialog.getByRole('button', { name: h.save }).click()
  await dialog.getByRole('button', { name: h.remove }).waitFor()
  await dialog.getByRole('textbox', { name: h.testCaller }).fill('+5511987654321')
  await dialog.getByRole('button', { name: h.test }).click()
  await dialog.getByText(h.statuses.applied).waitFor()
  await dialog.getByText('Ana', { exact: true }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await assertAccessible(page, 'answer hook')
  await dialog.getByRole('button', { name: h.remove }).click()
  await page.getByText(h.removed).waitFor()
})
