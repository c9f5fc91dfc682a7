// The widget's language, colors and error messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockText, contrast, languageOf, textColorOn } from './config.ts'
import { failureOf, microphoneFailure } from './server.ts'
import { widgetTexts } from './texts.ts'

test('the language is the chosen one, else the page’s, else the browser’s, else English', () => {
  assert.equal(languageOf('es', ['pt-BR']), 'es')
  assert.equal(languageOf('auto', ['', 'fr-FR', 'pt-PT', 'es']), 'pt')
  assert.equal(languageOf('auto', ['ES-mx']), 'es')
  assert.equal(languageOf('auto', ['de', 'enough']), 'en')
})

test('text can be read on any colour', () => {
  for (const color of ['#ffffff', '#000000', '#0b7a5e', '#e8b931', '#777777', '#ff0000', '#00ff00', '#0000ff'])
    assert.ok(contrast(textColorOn(color), color) > 4.5, `${color}: ${contrast(textColorOn(color), color)}`)
  assert.equal(textColorOn('#0b7a5e'), '#ffffff')
  assert.equal(textColorOn('#e8b931'), '#000000')
})

test('an error code becomes a sentence that a visitor understands', () => {
  assert.equal(failureOf('widget_busy').reason, 'busy')
  assert.equal(failureOf('widget_calls_used_up').reason, 'limit')
  assert.equal(failureOf('widget_channel_off; channel="chat"').reason, 'unavailable')
  assert.equal(failureOf(null).reason, 'unavailable')
  assert.equal(microphoneFailure('NotAllowedError'), 'microphoneDenied')
  assert.equal(microphoneFailure('TypeError'), undefined)
  for (const texts of Object.values(widgetTexts)) assert.deepEqual(Object.keys(texts), Object.keys(widgetTexts.en))
})

test('a duration is shown as a clock', () => {
  assert.deepEqual([0, 9.9, 65, 3600].map(clockText), ['0:00', '0:09', '1:05', '60:00'])
})
