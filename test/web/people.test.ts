// People and rehearsals in two real browsers: an administrator invites and disables a user; a call becomes a rehearsal
// that is run and compared.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { publicAddressTexts } from '../../web/src/components/public-address-texts.ts'
import { apiOf, assertAccessible, openBrowser, visit, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo({ EMBEDDED_VOICE: 'off' })
  browser = await openBrowser()
})

const fitsWidth = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('an administrator invites somebody, who joins in another browser and is signed out when they are disabled', async () => {
  const admin = await visitSignedIn(browser, demo, { language: 'pt' })
  const { page } = admin
  await page.goto('/users')
  const invite = page.getByRole('button', { name: 'Convidar usuário' })
  // A link with a loopback address is useless to others: the page says what to configure first.
  await page.getByText(publicAddressTexts.pt.title).waitFor()
  await page.getByText('PUBLIC_URL=https://ramal.example.com').waitFor()
  assert.ok(await invite.isDisabled())
  await page.getByRole('button', { name: publicAddressTexts.pt.anyway }).click()
  await invite.click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Criar convite' }).click()
  await form.getByText('Informe um e-mail').waitFor()
  await form.getByLabel('E-mail').fill('bia@example.com')
  await form.getByLabel('Nome').fill('Bia Nunes')
  await form.getByRole('button', { name: 'Criar convite' }).click()
  const link = (await page.locator('[data-secret]').textContent()) ?? ''
  assert.match(link, /\/invite#[\w-]{43}$/)
  await page.getByRole('button', { name: 'Já copiei o link' }).click()
  await page.getByText('bia@example.com').waitFor()
  assert.ok(!(await page.content()).includes(link.slice(-43)), 'the link is shown once')
  await assertAccessible(page, 'users')

  const guest = await visit(browser, demo.url, { language: 'en', screen: 'phone' })
  const other = guest.page
  await other.goto(link)
  await other.getByRole('heading', { name: 'Create your account' }).waitFor()
  assert.equal(await other.getByLabel('Email').inputValue(), 'bia@example.com')
  assert.ok(!other.url().includes('#'), 'the token is not left in the address')
  assert.ok(await fitsWidth(other))
  await assertAccessible(other, 'invitation')
  await other.getByLabel('Password').first().fill('correct horse battery')
  await other.getByLabel('Repeat password').fill('correct horse battery')
  await other.getByRole('button', { name: 'Create account and sign in' }).click()
  await other.getByRole('button', { name: /Account: bia@example\.com/ }).waitFor()
  await other.getByRole('button', { name: 'Menu' }).click()
  await other.getByRole('link', { name: 'Rehearsals' }).waitFor()
  assert.equal(await other.getByRole('link', { name: 'Users' }).count(), 0)

  await page.getByRole('button', { name: 'Ações: Bia Nunes' }).click()
  await page.getByRole('menuitem', { name: 'Desativar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click()
  await page.getByText('Desativado', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Sign in' }).waitFor()

  const late = await visit(browser, demo.url, { language: 'es' })
  await late.page.goto(link)
  await late.page.getByRole('heading', { name: 'Este enlace ya no funciona' }).waitFor()
  // With a public address the page offers links at once, and they use it.
  await page.route('**/api/platform', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), publicUrl: 'https://voz.example.com' } })
  })
  await page.goto('/users')
  await page.getByRole('button', { name: 'Convidar usuário' }).click()
  await form.getByLabel('E-mail').fill('caio@example.com')
  await form.getByRole('button', { name: 'Criar convite' }).click()
  const shown = (await page.locator('[data-secret]').textContent()) ?? ''
  assert.match(shown, /^https:\/\/voz\.example\.com\/invite#/)
  assert.equal(await page.getByText(publicAddressTexts.pt.title).count(), 0)
  assert.deepEqual(admin.troubles(), [])
  assert.deepEqual(guest.troubles(['401']), [])
  assert.deepEqual(late.troubles(['/auth/invitation']), [])
})

test('a call becomes a rehearsal, a failed check says what happened instead, and two runs are compared', async () => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'pt' })
  await page.goto(`/calls/${demo.ids.call}`)
  await page.getByRole('button', { name: 'Criar ensaio' }).click()
  await page.getByText('Feito a partir de uma chamada').waitFor()
  await page.waitForURL(/\/rehearsals\/rhs_/)
  const address = page.url()
  assert.ok((await page.getByRole('group', { name: /^Passo \d/ }).count()) > 1)

  await page.getByRole('button', { name: 'Adicionar verificação' }).click()
  const check = page.getByRole('group', { name: /^Verificação \d/ }).last()
  await page.getByRole('button', { name: 'Salvar e executar' }).click()
  await check.getByText('Preencha este campo.').waitFor()
  await check.getByLabel('Texto').fill('abrimos à meia-noite')
  await assertAccessible(page, 'rehearsal editor')
  await page.getByRole('button', { name: 'Salvar e executar' }).click()
  await page.waitForURL(/\/rehearsals\/runs\/reh_/)
  const failed = page.locator('[data-state=failed]').filter({ hasText: 'abrimos à meia-noite' })
  await failed.getByText(/^Disse: “/).waitFor()
  await page.getByText('Falhou', { exact: true }).first().waitFor()
  await page.getByRole('heading', { name: 'Comparação com a chamada' }).waitFor()
  await assertAccessible(page, 'run')

  await page.goto(address)
  await page.getByRole('button', { name: 'Executar em outro agente' }).click()
  await page.getByRole('menuitem', { name: 'Reservas La Plaza' }).click()
  await page.waitForURL(/\/rehearsals\/runs\/reh_/)
  await page.getByText('Falhou', { exact: true }).first().waitFor()
  await page.goto(address)
  const boxes = page.getByRole('checkbox', { name: /^Selecionar a execução/ })
  await boxes.nth(1).waitFor()
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.getByRole('button', { name: 'Comparar' }).click()
  await page.waitForURL(/\/rehearsals\/compare\?a=reh_.*&b=reh_/)
  await page.locator('[data-same=no]').first().waitFor()
  await page.getByRole('link', { name: 'Reservas La Plaza' }).waitFor()
  await assertAccessible(page, 'comparison')
  assert.deepEqual(troubles(), [])
})

test('on a phone, a rehearsal is written as a form and as JSON, and all of an agent are run', async () => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en', screen: 'phone', theme: 'dark' })
  const api = apiOf(demo)
  await page.goto(`/rehearsals/new?agent=${demo.ids.agent}`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Opening hours')
  await page.getByLabel('What the caller says').fill('Quando vocês abrem?')
  await page.getByRole('button', { name: 'Add step' }).click()
  const second = page.getByRole('group', { name: 'Step 2' })
  await second.getByLabel('Script').first().click()
  await page.getByRole('option', { name: 'Presses keys' }).click()
  await second.getByLabel(/^Keys/).fill('12#')
  await page.getByText('JSON', { exact: true }).click()
  const json = page.getByLabel('Script as JSON')
  assert.deepEqual(JSON.parse(await json.inputValue()).steps, [{ says: 'Quando vocês abrem?' }, { presses: '12#' }])
  await json.fill('{"steps":')
  await page.getByText('The text is not a JSON object.').waitFor()
  await json.fill('{"steps":[{"says":"Quando vocês abrem?"}],"expect":[{"endReason":"caller_hangup"}]}')
  assert.ok(await fitsWidth(page))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/rehearsals\/rhs_/)
  const [saved] = await api('GET', `/api/rehearsal-scripts?agentId=${demo.ids.agent}&limit=1`)
  assert.equal(saved.name, 'Opening hours')

  await page.goto(`/rehearsals?agent=${demo.ids.agent}`)
  await page.getByRole('button', { name: /^Run all \d+ rehearsals/ }).click()
  await page.getByText(/^\d+ of \d+ passed$/).waitFor()
  assert.ok(await fitsWidth(page))
  await assertAccessible(page, 'rehearsals on a phone')
  assert.deepEqual(troubles(), [])
})
