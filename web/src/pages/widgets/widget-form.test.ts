// The widget form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, originOf, originsOf, problemsOf, snippetOf, type WidgetForm } from './widget-form.ts'

const form: WidgetForm = {
  agentId: 'agt_1',
  name: 'Shop',
  origins: ['https://shop.example'],
  channels: ['call', 'chat'],
  appearance: {
    color: '#0b7a5e',
    theme: 'auto',
    position: 'right',
    language: 'auto',
    title: null,
    greeting: null,
    buttonText: null,
    logo: null,
  },
  limits: { sessionsPerMinute: 5, maxConcurrent: 5, callsPerDay: 100, messagesPerDay: 1000, maxCallSeconds: 600 },
  isActive: true,
}

test('a pasted address becomes its origin', () => {
  assert.equal(originOf('https://Shop.example/products?x=1'), 'https://shop.example')
  assert.equal(originOf(' shop.example '), 'https://shop.example')
  assert.equal(originOf('https://shop.example:8443/'), 'https://shop.example:8443')
  assert.equal(originOf('http://localhost:5173/'), 'http://localhost:5173')
  for (const wrong of [
    'http://shop.example',
    'https://*.shop.example',
    'shop',
    '',
    'https://',
    'https://a@shop.example',
  ])
    assert.equal(originOf(wrong), null, wrong)
  assert.deepEqual(originsOf(['shop.example', 'https://shop.example/']), ['https://shop.example'])
  assert.equal(originsOf(['shop.example', '*']), null)
})

test('problems and changes are found', () => {
  assert.deepEqual(problemsOf(form), [])
  const bad = { ...form, name: ' ', channels: [], appearance: { ...form.appearance, color: 'red' } }
  assert.deepEqual(problemsOf(bad), ['name', 'color', 'channels'])
  for (const [logo, problems] of [
    ['https://shop.example/logo.png', []],
    ['data:image/png;base64,AAAA', []],
    ['http://shop.example/logo.png', ['logo']],
    ['shop.example/logo.png', ['logo']],
    ['https://ana:x@shop.example/logo.png', ['logo']],
  ] as const)
    assert.deepEqual(problemsOf({ ...form, appearance: { ...form.appearance, logo } }), problems, logo)
  assert.deepEqual(changesOf(form, structuredClone(form)), {})
  assert.deepEqual(changesOf(form, { ...form, name: 'Site' }), { name: 'Site' })
})

test('the snippet names the server and the widget', () => {
  assert.equal(
    snippetOf('https://voice.example/', 'wgt_1'),
    '<script src="https://voice.example/widget.js" data-widget="wgt_1" async></script>',
  )
})
