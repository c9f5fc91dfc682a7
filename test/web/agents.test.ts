// The agent page: create from a template, preview, edit, leave guard, tools, delete.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { removalTexts } from '../../web/src/components/removal-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { agentSettingsTexts } from '../../web/src/pages/agents/agent-settings-texts.ts'
import { groupOf, type TabName, tabsIn } from '../../web/src/pages/agents/agent-tabs.ts'
import { agentTexts } from '../../web/src/pages/agents/agent-texts.ts'
import { agentsTexts } from '../../web/src/pages/agents/agents-texts.ts'
import { connectionsTexts } from '../../web/src/pages/agents/connections-texts.ts'
import { templatesEn } from '../../web/src/pages/agents/templates-en.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { until } from '../until.ts'
import { apiOf, forgetSounds, loudest, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const t = agentTexts.en
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const says = { ...commonTexts.en, save: 'Save', discard: 'Discard', unsaved: 'There are unsaved changes.' }
const guard = { leave: 'Leave without saving', stay: 'Keep editing', save: 'Save and leave' }

let demo: Demo
let browser: Browser
let ask: ReturnType<typeof apiOf>

before(async () => {
  demo = await startDemo()
  browser = await openBrowser()
  ask = apiOf(demo)
})

const kept = (id: string) => ask('GET', `/api/agents/${id}`)
const idIn = (page: Page) => /agents\/(agt_\w+)/.exec(page.url())?.[1] as string
const openTab = async (page: Page, tab: TabName) => {
  const group = groupOf(tab)
  await page.getByRole('tablist', { name: t.tabs }).getByRole('tab', { name: t.group[group] }).click()
  if (tabsIn(group).length > 1) await page.getByRole('tab', { name: t.tab[tab], exact: true }).click()
}
/** The text in an editor. */
const textOf = async (page: Page, name: string) =>
  (await field(page, name).locator('.cm-line').allTextContents()).join('\n')
const saved = async (page: Page) => {
  await page.getByRole('button', { name: says.save, exact: true }).click()
  await page.getByText(says.unsaved).waitFor({ state: 'detached' })
}

const newAgent = async (name: string): Promise<string> =>
  (await ask('POST', '/api/agents', { name, systemPrompt: 'Be brief.', language: 'en-US', initialSpeech: 'Hello!' })).id

test('create an agent from a template, preview its voice, edit and save every setting', async (t1) => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })

  await t1.test('the template is in the language of the agent, and a voice is heard at a click', async () => {
    await page.goto('/agents')
    await page.getByRole('link', { name: agentsTexts.en.newAgent }).click()
    await page.getByRole('radio', { name: new RegExp(agentsTexts.en.orders) }).click()
    await page.getByLabel(agentsTexts.en.name).fill('Northwind orders')
    await page.getByRole('radiogroup', { name: 'Voices' }).getByRole('radio').nth(1).check()
    await until('the voice is heard', async () => (await loudest(page)) > 0.02)
    await page.getByRole('button', { name: agentsTexts.en.create }).click()
    await page.getByRole('heading', { name: 'Northwind orders', level: 1 }).waitFor()
    await page.getByText(t.isReady).waitFor()
    assert.equal(await textOf(page, t.openingPhrase), templatesEn.orders.initialSpeech)
    const agent = await kept(idIn(page))
    assert.equal(agent.language, 'en-US')
    assert.equal(agent.systemPrompt, templatesEn.orders.systemPrompt)
    assert.deepEqual(agent.settings.variables, templatesEn.orders.variables)
    assert.ok(agent.voiceId)
  })

  await t1.test('prompt, opening, variables, voice and turns are edited; a reload shows them', async () => {
    const before = await kept(idIn(page))
    await field(page, t.openingPhrase).fill('Northwind, {{shift}} shift. How can I help?')
    await page.getByRole('textbox', { name: t.prompt, exact: true }).fill('You are Sam. The shift is {{shift}}.')
    await page.getByRole('textbox', { name: `${t.standard}: shift` }).fill('night')
    await forgetSounds(page)
    await page.getByRole('button', { name: `Listen: ${t.hearOpening}` }).click()
    await until('the opening is heard', async () => (await loudest(page)) > 0.02)

    await openTab(page, 'voice')
    const voices = page.getByRole('radiogroup', { name: 'Voices' }).getByRole('radio')
    await voices.first().check()
    const voiceId = (await voices.first().inputValue()).split('/')[1]
    assert.notEqual(voiceId, before.voiceId)
    await page.getByRole('slider', { name: agentSettingsTexts.en.speed }).press('ArrowRight')

    await openTab(page, 'turns')
    await page.getByLabel(agentSettingsTexts.en.minPauseMs).fill('650')
    await page.getByLabel(agentSettingsTexts.en.silenceHangupMs).fill('45')
    await page.getByRole('switch', { name: agentSettingsTexts.en.interruptible }).uncheck()
    await page.getByRole('combobox', { name: agentSettingsTexts.en.endPhrases }).fill('that is all')
    await page.getByRole('combobox', { name: agentSettingsTexts.en.endPhrases }).press('Enter')
    await saved(page)

    const agent = await kept(idIn(page))
    assert.equal(agent.initialSpeech, 'Northwind, {{shift}} shift. How can I help?')
    assert.equal(agent.systemPrompt, 'You are Sam. The shift is {{shift}}.')
    assert.equal(agent.voiceId, voiceId)
    assert.equal(agent.settings.variables.shift, 'night')
    assert.equal(agent.settings.interruptible, false)
    assert.deepEqual(agent.settings.turn, { minPauseMs: 650, silenceHangupMs: 45_000 })
    assert.deepEqual(agent.settings.endPhrases, ['that is all'])
    assert.equal(agent.settings.voice.speed, 1.05)

    await page.reload()
    await page.getByLabel(agentSettingsTexts.en.minPauseMs).waitFor()
    assert.equal(await page.getByLabel(agentSettingsTexts.en.minPauseMs).inputValue(), '650 ms')
    assert.equal(await page.getByLabel(agentSettingsTexts.en.silenceHangupMs).inputValue(), '45 s')
    assert.equal(await page.getByRole('switch', { name: agentSettingsTexts.en.interruptible }).isChecked(), false)
    await openTab(page, 'prompt')
    assert.equal(await page.getByRole('textbox', { name: `${t.standard}: shift` }).inputValue(), 'night')
    assert.equal(await page.getByText(says.unsaved).count(), 0)
  })
  assert.deepEqual(troubles(), [])
})

test('leaving with unsaved changes asks first: link, back button, keyboard', async () => {
  const id = await newAgent('Guarded')
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  await page.goto('/agents')
  await page.getByRole('link', { name: 'Guarded', exact: true }).click()
  await field(page, t.openingPhrase).fill('Hello, typed but not saved')
  await page.getByText(says.unsaved).waitFor()

  await page.getByRole('link', { name: navigationTexts.en.calls, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: guard.stay }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await textOf(page, t.openingPhrase), 'Hello, typed but not saved')

  await page.goBack()
  await dialog.getByRole('button', { name: guard.stay }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(idIn(page), id)
  assert.equal(await textOf(page, t.openingPhrase), 'Hello, typed but not saved')

  // On closing the window, the browser itself asks.
  const asked = page.waitForEvent('dialog')
  void page.close({ runBeforeUnload: true })
  const question = await asked
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()

  await page.keyboard.press('Control+s')
  await page.getByText(says.unsaved).waitFor({ state: 'detached' })
  assert.equal((await kept(id)).initialSpeech, 'Hello, typed but not saved')

  await field(page, t.openingPhrase).fill('Saved while leaving')
  await page.getByRole('link', { name: navigationTexts.en.calls, exact: true }).click()
  await dialog.getByRole('button', { name: guard.save }).click()
  await page.waitForURL(/\/calls$/)
  assert.equal((await kept(id)).initialSpeech, 'Saved while leaving')

  await page.goBack()
  await field(page, t.openingPhrase).fill('Thrown away')
  await page.getByRole('link', { name: navigationTexts.en.calls, exact: true }).click()
  await dialog.getByRole('button', { name: guard.leave }).click()
  await page.waitForURL(/\/calls$/)
  assert.equal((await kept(id)).initialSpeech, 'Saved while leaving')
  assert.deepEqual(troubles(), [])
})

test('a server error is shown in full and keeps what was typed', async () => {
  const id = await newAgent('Refused')
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  await page.goto(`/agents/${id}?tab=prompt`)
  await field(page, t.openingPhrase).fill('Typed before the refusal')
  await openTab(page, 'model')
  const deep = `${'{"a":'.repeat(12)}1${'}'.repeat(12)}`
  await field(page, agentSettingsTexts.en.more).fill(deep)
  await page.getByRole('button', { name: says.save, exact: true }).click()
  await page.getByText(commonTexts.en.couldNot.save).waitFor()
  await page.getByText(/llmConfig/).waitFor()
  assert.deepEqual(JSON.parse(await field(page, agentSettingsTexts.en.more).inputValue()), JSON.parse(deep))

  await openTab(page, 'general')
  await page.getByRole('textbox', { name: commonTexts.en.name }).fill(' ')
  await page.getByRole('button', { name: says.save, exact: true }).click()
  await page.getByText(t.problem.empty).waitFor()
  await page.getByRole('textbox', { name: commonTexts.en.name }).fill('Accepted')
  await openTab(page, 'model')
  await field(page, agentSettingsTexts.en.more).fill('{ half')
  await page.getByText(t.problem.json).waitFor()
  await field(page, agentSettingsTexts.en.more).fill('{ "topP": 0.5 }')
  await saved(page)
  const agent = await kept(id)
  assert.deepEqual([agent.name, agent.initialSpeech], ['Accepted', 'Typed before the refusal'])
  assert.deepEqual(agent.llmConfig, { topP: 0.5 })
  assert.deepEqual(troubles([`400 PATCH ${demo.url}/api/agents/${id}`]), [])
})

test('link and unlink a tool; deleting the agent asks for confirmation', async () => {
  const id = await newAgent('Short-lived')
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  const words = connectionsTexts.en
  await page.clock.install()
  await page.goto(`/agents/${id}`)
  await openTab(page, 'tools')
  await page.getByText(words.noTools).waitFor()
  await page.getByRole('combobox', { name: words.addTool }).click()
  await page.getByRole('option', { name: 'order_status' }).click()
  await page.getByRole('button', { name: words.add, exact: true }).click()
  const mine = page.getByRole('list', { name: words.tools })
  await mine.getByRole('link', { name: 'order_status' }).waitFor()
  const linked = () => ask('GET', `/api/agents/${id}/tools`)
  assert.deepEqual(
    (await linked()).map((tool: { name: string }) => tool.name),
    ['order_status'],
  )
  await mine.getByRole('button', { name: `${words.unlink}: order_status` }).click()
  await page.getByText(words.noTools).waitFor()
  assert.deepEqual(await linked(), [])

  await openTab(page, 'general')
  await page.getByRole('button', { name: t.removeAgent }).click()
  const dialog = page.getByRole('dialog', { name: removalTexts.en.agentQuestion('Short-lived') })
  await dialog.getByRole('button', { name: commonTexts.en.cancel }).click()
  assert.equal((await kept(id)).name, 'Short-lived')
  await page.getByRole('button', { name: t.removeAgent }).click()
  await dialog.getByRole('button', { name: removalTexts.en.removeAgent }).click()
  await page.waitForURL(/\/agents$/)
  await page.getByRole('link', { name: 'Reservas La Plaza', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Short-lived', exact: true }).count(), 0)
  // Undo is possible for ten seconds; then the agent is gone.
  await page.clock.fastForward(10_000)
  const isGone = () =>
    kept(id).then(
      () => false,
      () => true,
    )
  await until('it is deleted', isGone)
  assert.deepEqual(troubles(), [])
})
