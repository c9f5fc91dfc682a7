import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../i18n/language.ts'
import { builtInVariables, namesIn } from './prompt-variables.ts'
import { bodyOf, templateIds, templateIn } from './templates.ts'

const every = languages.flatMap((language) =>
  templateIds.map((id) => ({ language, id, template: templateIn(id, language) })),
)

test('a template has a value for every {{variable}} it uses, and no others', () => {
  for (const { language, id, template } of every) {
    const asked = namesIn(template.systemPrompt, template.initialSpeech, template.voicemail ?? '')
    const open = asked.filter((name) => !builtInVariables.some((known) => known === name))
    assert.deepEqual(open.sort(), Object.keys(template.variables).sort(), `${language} ${id}`)
  }
})

test("a new agent has the given name and the template's settings", () => {
  const template = templateIn('outbound', 'en')
  const chosen = { name: ' Mia ', language: 'en-US', ttsProvider: 'provider_a' as const, voiceId: null }
  const body = bodyOf(template, chosen)
  assert.equal(body.name, 'Mia')
  assert.equal(body.settings.voicemail?.message, template.voicemail)
  assert.deepEqual(bodyOf(templateIn('blank', 'en'), chosen).settings, { variables: { company: 'our company' } })
})
