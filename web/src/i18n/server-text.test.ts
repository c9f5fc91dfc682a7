import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { errorCodes } from '../../../src/base/errors/error-codes.ts'
import { settingDescription } from '../pages/settings/setting-descriptions.ts'
import { type ServerTexts, translated } from './server-text.ts'
import { devicesServerTexts } from './server-texts/devices.ts'
import { requestsServerTexts } from './server-texts/requests.ts'
import { servicesServerTexts } from './server-texts/services.ts'
import { toolsServerTexts } from './server-texts/tools.ts'
import { trunksServerTexts } from './server-texts/trunks.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('a text is translated whole, by its template, and within another one', () => {
  assert.equal(translated('the name leads to no address', 'pt', trunksServerTexts), 'o nome não leva a nenhum endereço')
  assert.equal(
    translated('WhatsApp refuses: the WhatsApp Business account is locked', 'es', devicesServerTexts),
    'WhatsApp rechaza: la cuenta de WhatsApp Business está bloqueada',
  )
  assert.equal(
    translated('api.test did not answer in time', 'pt', requestsServerTexts),
    'api.test não respondeu a tempo',
  )
  const missing = 'Missing: numero. Ask for it, then try again.'
  assert.equal(translated(missing, 'pt', toolsServerTexts), 'Falta: numero. Preencha e tente de novo.')
  assert.equal(translated('403 Forbidden', 'pt', trunksServerTexts), '403 Forbidden')
  assert.equal(translated('no answer in time', 'en', trunksServerTexts), 'no answer in time')
})

test('every text has the same names in both languages', () => {
  const all: ServerTexts[] = [
    devicesServerTexts,
    requestsServerTexts,
    servicesServerTexts,
    toolsServerTexts,
    trunksServerTexts,
  ]
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
  for (const texts of all)
    for (const [english, words] of Object.entries(texts))
      for (const word of words)
        assert.ok(
          namesIn(word).every((name) => namesIn(english).includes(name)),
          english,
        )
  const messages = new Set(Object.values(errorCodes).map(([, message]) => String(message)))
  for (const english of Object.keys(servicesServerTexts)) assert.ok(messages.has(english), english)
})

/** The first text after each match, with a placeholder word for interpolated values. */
function textsAfter(source: string, start: RegExp): string[] {
  return [...source.matchAll(start)].flatMap((match) => {
    const rest = source.slice(match.index + match[0].length)
    const [, plain, template] = /^\s*(?:'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/.exec(rest) ?? []
    if (plain !== undefined) return [plain.replaceAll("\\'", "'")]
    if (template === undefined || /\$\{[^}]*[`?{]/.test(template)) return [] // the template contains a conditional text
    return [template.replaceAll(/\$\{[^}]*\}/g, 'x7')]
  })
}

const untranslated = (paths: string, start: RegExp, texts: ServerTexts) =>
  globSync(paths, { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => textsAfter(read(path), start))
    .filter(
      (text) => / /.test(text) && /[a-z]{2}/.test(text.replaceAll('x7', '')) && translated(text, 'pt', texts) === text,
    )

test('every detail of the diagnostics, device fault and failed request has words', () => {
  const finding = /\b(?:passed|skipped|warning)\(\s*(?:'\w+'|name),/g
  assert.deepEqual(untranslated('src/phone/diagnostics/*.ts', finding, trunksServerTexts), [])
  const failed = /\bfailed\(\s*(?:'\w+'|name),\s*'\w+',/g
  assert.deepEqual(untranslated('src/phone/diagnostics/*.ts', failed, trunksServerTexts), [])
  const fault = /new (?:DriverTrouble|GraphTrouble|RemoteFault)\(\s*'\w+',/g
  assert.deepEqual(untranslated('src/features/devices/**/*.ts', fault, devicesServerTexts), [])
  assert.deepEqual(untranslated('src/features/devices/whatsapp/number.ts', /\berror:/g, devicesServerTexts), [])
  const request = /(?:new HttpError|trouble)\(\s*'[\w-]+',/g
  assert.deepEqual(untranslated('src/tool-types/http/*.ts', request, requestsServerTexts), [])
})

test('every setting has a description in every language', () => {
  const names = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '')
  assert.ok(names.length > 70)
  const missing = names.filter(
    (name) => settingDescription(name, '', 'pt') === '' || settingDescription(name, '', 'es') === '',
  )
  assert.deepEqual(missing, [])
  assert.equal(settingDescription('HOST', 'as the server says', 'en'), 'as the server says')
})
