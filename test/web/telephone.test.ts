// Telephony pages: numbers, trunks with diagnostics, and a phone linked by QR code.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import jsQR from 'jsqr'
import type { Browser, Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
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
import { answersTo, apiOf, assertAccessible, openBrowser, type Site, visitSignedIn } from './browser.ts'

const c = commonTexts.en
const SECRET = 'a-password-of-a-trunk'

let app: PhoneApp
let browser: Browser
let site: Site
let ask: ReturnType<typeof apiOf>

before(async () => {
  app = await startPhoneApp()
  site = { url: await app.app.listen(), key: app.app.firstKey as string }
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
  await typed.fill('3000-0003')
  await form.getByRole('button', { name: t.add }).click()
  await form.getByText(t.numberWrong).waitFor()
  await typed.fill('+55 (11) 3000-0003')
  await choose(form, page, t.agent, 'Reception')
  await form.getByRole('button', { name: t.add }).click()
  const row = page.getByRole('row', { name: /\+55 11 3000-0003/ })
  await row.getByRole('link', { name: 'Reception' }).waitFor()
  await row.getByText(t.active).waitFor()

  await row.getByRole('button', { name: t.editNamed('+55 11 3000-0003') }).click()
  const editing = page.getByRole('dialog', { name: t.editTitle('+55 11 3000-0003') })
  await choose(editing, page, t.agent, 'Night desk')
  await editing.getByRole('switch', { name: t.isActive }).uncheck()
  await editing.getByRole('button', { name: c.save }).click()
  await row.getByRole('link', { name: 'Night desk' }).waitFor()
  await row.getByText(t.inactive).waitFor()
  const [did] = await ask('GET', '/api/did')
  assert.deepEqual([did.phoneNumber, did.status], ['+551130000003', 'inactive'])

  // The same number once more: the server's refusal is told, and what was typed stays.
  await page.getByRole('button', { name: t.add }).first().click()
  await typed.fill('+551130000003')
  await form.getByRole('button', { name: t.add }).click()
  await page.getByText(c.failed).waitFor()
  assert.equal(await typed.inputValue(), '+551130000003')
  await form.getByRole('button', { name: c.cancel }).click()

  await row.getByRole('button', { name: t.removeNamed('+55 11 3000-0003') }).click()
  const question = page.getByRole('dialog', { name: t.removeQuestion('+55 11 3000-0003') })
  await question.getByRole('button', { name: c.remove }).click()
  await page.getByText(t.emptyTitle).waitFor()
  assert.deepEqual(await ask('GET', '/api/did'), [])
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

  // Saving something else does not touch the password.
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

  // An agent is linked with a number, which is its own from then on.
  await page.getByRole('button', { name: t.link }).click()
  const linking = page.getByRole('dialog', { name: t.link })
  await choose(linking, page, c.agent, 'Reception')
  await linking.getByRole('textbox', { name: new RegExp(t.linkNumber) }).fill('+551130000009')
  await linking.getByRole('button', { name: t.link }).click()
  await page.getByText('+55 11 3000-0009').waitFor()
  await page.getByRole('button', { name: t.remove }).click()
  const sure = page.getByRole('dialog', { name: t.removeQuestion('Office') })
  await sure.getByText(usageTexts.en.inUse('Reception')).waitFor()
  await sure.getByRole('button', { name: c.cancel }).click()
  await page.getByRole('button', { name: t.unlinkNamed('Reception') }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.unlink, exact: true }).click()
  await page.getByText(t.linksEmpty).waitFor()

  await page.getByRole('button', { name: t.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: c.remove, exact: true }).click()
  await page.getByText(t.emptyTitle).waitFor()
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
  await linking.getByText(t.status.waiting_qr).waitFor()
  const [device] = await ask('GET', '/api/gateway/devices')
  const picture = linking.getByRole('img', { name: l.qr })
  await page.waitForFunction((img) => (img as HTMLImageElement).complete, await picture.elementHandle())
  const url = scan(await picture.screenshot())
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/provision\/[\w-]{32}$/)
  await assertAccessible(page, 'the linking of a phone')

  // The address in the picture is all that this phone knows.
  const phone = await startLinphone({ provisioning: url })
  t1.after(phone.stop)
  await linking.getByText(l.connected).waitFor()
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

/** What the camera of a phone sees. */
function scan(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png)
  const seen = (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(data), width, height)
  return seen?.data ?? assert.fail('there is no QR code in the picture')
}
