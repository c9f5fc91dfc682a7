// Integrations: a tool that calls a real server, API keys, webhooks.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { removalTexts } from '../../web/src/components/removal-texts.ts'
import { usageTexts } from '../../web/src/components/usage-texts.ts'
import { eventGroups } from '../../web/src/event-types.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { keysTexts } from '../../web/src/pages/keys/keys-texts.ts'
import { toolFormTexts } from '../../web/src/pages/tools/tool-form-texts.ts'
import { toolTestTexts } from '../../web/src/pages/tools/tool-test-texts.ts'
import { toolsTexts } from '../../web/src/pages/tools/tools-texts.ts'
import { emptyWebhook } from '../../web/src/pages/webhooks/webhook-form.ts'
import { eventWords, webhooksTexts } from '../../web/src/pages/webhooks/webhooks-texts.ts'
import { anAgent, atEnd, startTestApp } from '../app.ts'
import { until } from '../until.ts'
import { openWebServer, sendJson, type WebRequest } from '../web-server.ts'
import { answersTo, apiOf, assertAccessible, openBrowser, type Site, visitSignedIn } from './browser.ts'

const c = commonTexts.en
const TOKEN = 'a-token-of-the-shop'

let browser: Browser
let site: Site
let ask: ReturnType<typeof apiOf>

before(async () => {
  const app = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  site = { url: await app.app.listen(), key: app.app.firstKey as string }
  ask = apiOf(site)
  browser = await openBrowser()
  await ask('POST', '/api/agents', { ...anAgent, name: 'Order support' })
})

const open = () => visitSignedIn(browser, site, { language: 'en' })
const farServer = (answer: (asked: WebRequest) => [status: number, body: unknown]) =>
  openWebServer({ after: atEnd }, (asked, response) => {
    const [status, body] = answer(asked)
    sendJson(response, body, status)
  })

test('create a tool that calls a real server, test it; its secret stays hidden', async () => {
  const [t, f, w] = [toolsTexts.en, toolFormTexts.en, toolTestTexts.en]
  const shop = await farServer(({ url }) =>
    url.includes('/orders/77') ? [200, { order: 77, state: 'on its way' }] : [404, { problem: 'no such order' }],
  )
  const { page, troubles } = await open()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postData() ?? ''))
  const got = await answersTo(page)
  await page.goto('/tools')
  await page.getByRole('button', { name: t.make }).first().click()
  await page.getByRole('dialog', { name: t.choose }).getByRole('link', { name: t.types.api_request.name }).click()
  await page.getByRole('heading', { name: t.newTitle(t.types.api_request.name), level: 1 }).waitFor()

  await page.getByRole('button', { name: f.create }).click()
  await page.getByText(f.nameMissing).waitFor()
  await page.getByRole('textbox', { name: f.name, exact: true }).fill('order_state')
  await page.getByRole('textbox', { name: f.description, exact: true }).fill('Where an order is.')
  await page.getByRole('textbox', { name: f.url, exact: true }).fill(`${shop.url}/orders/{order}`)
  await page.getByRole('combobox', { name: f.authType }).click()
  await page.getByRole('option', { name: f.authKinds.bearer }).click()
  await page.getByRole('textbox', { name: f.authFields.token }).fill(TOKEN)
  await page.getByRole('button', { name: f.addField }).click()
  await page.getByRole('textbox', { name: `${f.fieldName} 1` }).fill('order')
  await page.getByRole('checkbox', { name: f.fieldNeeded }).check()
  await page.getByRole('button', { name: f.create }).click()
  await page.getByRole('heading', { name: 'order_state', level: 1 }).waitFor()

  const trying = page.getByRole('region', { name: w.title })
  await trying.getByRole('button', { name: w.run }).click()
  await trying.getByText(w.wrong).waitFor()
  await trying.getByRole('textbox', { name: 'order', exact: true }).fill('77')
  await trying.getByRole('button', { name: w.run }).click()
  await trying.getByText(w.status.done).waitFor()
  await trying.getByText(/on its way/).waitFor()
  assert.equal(shop.asked.at(-1)?.url, '/orders/77')
  assert.equal(shop.asked.at(-1)?.headers.authorization, `Bearer ${TOKEN}`)
  await trying.getByRole('button', { name: w.request }).click()
  await trying.getByText(`GET ${shop.url}/orders/77`).waitFor()
  await assertAccessible(page, 'a tool that was tested')

  await trying.getByRole('textbox', { name: 'order', exact: true }).fill('78')
  await trying.getByRole('button', { name: w.run }).click()
  await trying.getByText(w.status.failed).waitFor()
  await trying.getByText(/404/).first().waitFor()

  // The page does not have the stored token, so it cannot send it back; saving another field leaves the token as it is.
  const token = page.getByRole('textbox', { name: f.authFields.token })
  assert.deepEqual([await token.inputValue(), await token.getAttribute('placeholder')], ['', f.kept])
  await page.getByRole('textbox', { name: f.description, exact: true }).fill('Where an order is right now.')
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await page.getByText(c.saved, { exact: true }).waitFor()
  assert.deepEqual(
    sent.map((body) => JSON.parse(body)),
    [{ description: 'Where an order is right now.' }],
  )
  await page.reload()
  await trying.getByRole('textbox', { name: 'order', exact: true }).fill('77')
  await trying.getByRole('button', { name: w.run }).click()
  await trying.getByText(w.status.done).waitFor()
  assert.equal(shop.asked.at(-1)?.headers.authorization, `Bearer ${TOKEN}`)
  const answers = await got()
  assert.ok(answers.includes('on its way') && !answers.includes(TOKEN))
  assert.ok(!(await page.content()).includes(TOKEN))

  await page.getByRole('switch', { name: 'Order support' }).click()
  await page.getByText(t.linked('Order support')).waitFor()
  await page.getByRole('button', { name: removalTexts.en.more, exact: true }).click()
  await page.getByRole('menuitem', { name: t.remove }).click()
  const sure = page.getByRole('dialog', { name: t.removeQuestion('order_state') })
  await sure.getByText(usageTexts.en.inUse('Order support')).waitFor()
  await sure.getByRole('button', { name: c.remove }).click()
  await page.getByText(t.emptyTitle).waitFor()
  assert.deepEqual(troubles(), [])
})

test('an API key is shown once, works, and stops working when revoked', async () => {
  const t = keysTexts.en
  const { page, troubles } = await open()
  const got = await answersTo(page)
  await page.goto('/keys')
  await page.getByRole('button', { name: t.make }).first().click()
  const form = page.getByRole('dialog', { name: t.make })
  await form.getByRole('button', { name: c.create }).click()
  await form.getByText(t.nameMissing).waitFor()
  await form.getByRole('textbox', { name: t.name, exact: true }).fill('CRM')
  await form.getByRole('radio', { name: t.chosen }).check()
  await form.getByRole('checkbox', { name: t.scope.agents }).check()
  await form.getByRole('button', { name: c.create }).click()

  const made = page.getByRole('dialog', { name: t.madeTitle })
  const key = await made.locator('[data-secret]').innerText()
  await page.keyboard.press('Escape')
  await made.getByRole('button', { name: c.copy }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key)
  await assertAccessible(page, 'a new key')
  await made.getByRole('button', { name: t.madeDone }).click()
  await made.waitFor({ state: 'detached' })

  const use = (path: string) => fetch(site.url + path, { headers: { 'x-api-key': key } })
  assert.equal((await use('/api/agents')).status, 200)
  assert.equal((await use('/api/calls')).status, 403, 'only what was chosen')
  const row = page.getByRole('row', { name: /CRM/ })
  await row.getByText(`${key.slice(0, 8)}`).waitFor()
  assert.ok((await got()).includes(key), 'this one time')
  await page.reload()
  await row.getByText(t.scope.agents).waitFor()
  const answers = await got()
  assert.ok(answers.includes('CRM') && !answers.includes(key), 'never again')
  assert.ok(!(await page.content()).includes(key))
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  assert.ok(!stored.includes(key))

  await row.getByRole('button', { name: t.revokeNamed('CRM') }).click()
  const question = page.getByRole('dialog', { name: t.revokeQuestion('CRM') })
  await question.getByRole('button', { name: t.revoke, exact: true }).click()
  await row.getByText(t.state.revoked).waitFor()
  assert.equal((await use('/api/agents')).status, 401)
  assert.deepEqual(troubles(), [])
})

test('create a webhook, test it against a server that checks the signature, resend a delivery', async () => {
  const t = webhooksTexts.en
  let status = 200
  const crm = await farServer(() => [status, { got: true }])
  const { page, troubles } = await open()
  const got = await answersTo(page)
  await page.goto('/webhooks')
  await page.getByRole('button', { name: t.make }).first().click()
  const form = page.getByRole('dialog', { name: t.make })
  await form.getByRole('textbox', { name: t.url, exact: true }).fill('crm.example')
  await form.getByRole('button', { name: c.create }).click()
  await form.getByText(t.urlWrong).waitFor()
  await form.getByRole('textbox', { name: t.url, exact: true }).fill(`${crm.url}/ramal`)
  await form.getByRole('radio', { name: t.some }).check()
  await form
    .getByRole('group', { name: t.groups.conversation })
    .getByRole('checkbox', { name: t.groups.conversation })
    .check()
  await form.getByRole('button', { name: c.create }).click()
  const once = page.getByRole('dialog', { name: t.secretTitle })
  const secret = await once.locator('[data-secret]').innerText()
  assert.match(secret, /^whsec_/)
  await once.getByRole('button', { name: t.secretDone }).click()
  const card = page.getByRole('listitem').filter({ hasText: `${crm.url}/ramal` })
  await card.getByText(t.counted(emptyWebhook.events.length + eventGroups.conversation.length)).waitFor()
  assert.ok((await got()).includes(secret), 'this one time')

  const verify = ({ body, headers }: WebRequest) =>
    new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string }
  await card.getByRole('button', { name: t.test }).click()
  await page.getByText(new RegExp(t.testGood('\\d+'))).waitFor()
  assert.equal(crm.asked.length, 1)
  assert.ok(verify(crm.asked[0] as WebRequest).type)

  // Real events arrive too.
  const [agent] = await ask('GET', '/api/agents')
  await ask('POST', '/api/conversations/start', { agentId: agent.id })
  const arrived = await until('the event arrives', () => crm.asked[1], 20_000)
  assert.equal(verify(arrived).type, 'conversation.started')

  await card.getByRole('button', { name: t.deliveries }).click()
  const list = page.getByRole('dialog')
  const row = list.getByRole('row', { name: /conversation\.started/ })
  await row.getByText(t.state.delivered).waitFor()
  await row.getByText('HTTP 200').waitFor()
  await assertAccessible(page, 'the deliveries')
  await row.getByRole('button', { name: t.againNamed(eventWords(t, 'conversation.started')) }).click()
  const again = await until('it is sent again', () => crm.asked[2], 20_000)
  assert.equal(again.headers['webhook-id'], arrived.headers['webhook-id'], 'the same message')
  verify(again)
  await list.getByRole('button', { name: c.close }).click()

  status = 500
  await card.getByRole('button', { name: t.test }).click()
  await page.getByText(t.testBad).waitFor()
  await page.reload()
  await card.waitFor()
  const answers = await got()
  assert.ok(answers.includes(crm.url) && !answers.includes(secret), 'the secret is never shown again')
  await card.getByRole('button', { name: t.menu(`${crm.url}/ramal`) }).click()
  await page.getByRole('menuitem', { name: c.remove }).click()
  await page.getByText(t.emptyTitle).waitFor()
  assert.deepEqual(troubles(), [])
})
