// The guides as served: every link and picture resolves, and nothing outside the folder can be read.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError, atEnd, testApp } from '../../../test/app.ts'
import { translations } from '../../../test/guides/translations.ts'
import { guideFor, guideHref, isTranslated, pageGuides } from '../../../web/src/components/page-guides.ts'
import { languages } from '../../../web/src/i18n/language.ts'
import { preferredLanguage } from './language.ts'
import { openShelf } from './library.ts'

const html = { accept: 'text/html' }

async function guides() {
  const { anonymous } = await testApp()
  const get = (url: string, headers: Record<string, string> = html) => anonymous({ method: 'GET', url, headers })
  const list: { name: string; title: string }[] = (await get('/guides/list.json')).json
  return { get, list }
}

/** Older translations may lack a heading that the English guide now has. */
const older = new Set(translations().flatMap(({ name, isOlder }) => (isOlder ? [`/guides/pt/${name}`] : [])))

for (const [root, lang] of [
  ['/guides', 'en'],
  ['/guides/en', 'en'],
  ['/guides/pt', 'pt-BR'],
])
  test(`every guide below ${root} is served without signing in, and every link between them leads to a heading`, async () => {
    const { get } = await guides()
    const list: { name: string; title: string }[] = (await get(`${root}/list.json`)).json
    assert.ok(list.length > 15)
    const pages = new Map<string, string>()
    for (const { name, title } of list) {
      const { status, text } = await get(`${root}/${name}`)
      assert.equal(status, 200, name)
      assert.ok(text.includes(`<html lang="${lang}">`), name)
      assert.ok(text.includes(`<title>${title.replaceAll('&', '&amp;')} · Ramal</title>`), name)
      assert.doesNotMatch(text, /&lt;!--/, name)
      pages.set(`${root}/${name}`, text)
    }
    const lost: string[] = []
    for (const [from, text] of pages)
      for (const [, href = ''] of text.matchAll(/href="(\/guides\/[^"]+|#[^"]+)"/g)) {
        const [path = '', anchor] = (href.startsWith('#') ? from + href : href).split('#')
        const target = pages.get(path)
        if (!target) {
          if ((await get(path)).status !== 200) lost.push(`${from}: ${href}`)
        } else if (anchor && !target.includes(`id="${anchor}"`) && !older.has(path)) lost.push(`${from}: ${href}`)
      }
    assert.deepEqual(lost, [])
  })

test('a reader gets the language of the browser, and can choose the other one', async () => {
  const { get } = await guides()
  const ask = (url: string, languages: string) => get(url, { ...html, 'accept-language': languages })
  const sent = await ask('/guides/first-call', 'pt-BR,pt;q=0.9,en;q=0.8')
  assert.equal(sent.status, 302)
  assert.equal(sent.headers.location, '/guides/pt/first-call')
  assert.match(String(sent.headers.vary), /accept-language/)
  assert.equal((await ask('/guides', 'pt')).headers.location, '/guides/pt')
  const english = await ask('/guides/first-call', 'en-GB,pt;q=0.5')
  assert.equal(english.status, 200)
  assert.match(String(english.headers.vary), /accept-language/)
  assert.match(english.text, /<a href="\/guides\/pt\/first-call" hreflang="pt-BR" lang="pt-BR">Português<\/a>/)
  const chosen = await ask('/guides/en/first-call', 'pt-BR')
  assert.equal(chosen.status, 200)
  assert.match(chosen.text, /<html lang="en">/)
  assert.equal((await ask('/guides/pictures/home.png', 'pt')).status, 200)
  assert.equal((await ask('/guides/pt/pictures', 'pt')).status, 404)
})

test('below /guides/pt an untranslated guide says that it is in English; links stay in Portuguese', async () => {
  const { get } = await guides()
  const tools = (await get('/guides/pt/tools')).text
  assert.match(tools, /role="note">Este guia existe só em inglês\.<\/p><article class="guide" lang="en">/)
  assert.match(tools, /href="\/guides\/pt\/providers"/)
  const call = (await get('/guides/pt/first-call')).text
  assert.doesNotMatch(call, /existe só em inglês/)
  assert.match(call, /<a href="\/guides\/en\/first-call" hreflang="en" lang="en">English<\/a>/)
  assert.match(call, /href="\/guides\/pt\/dashboard#/)
  assert.match(call, /src="\/guides\/pictures\/first-start\.png"/)
  assert.match(call, /id="3-create-an-agent"/)
  assert.doesNotMatch((await get('/guides/tools')).text, /role="note"/)
})

test('the language of a browser is the first that we have, by weight', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['es-MX,es;q=0.9', 'en'],
    ['es,pt;q=0.5', 'pt'],
    ['PT-br', 'pt'],
    ['pt;q=0', 'en'],
    ['en;q=0.1, pt;q=0.2', 'pt'],
    ['pt;q=x', 'en'],
    ['ptx', 'en'],
    [`${'x,'.repeat(5000)}pt`, 'en'],
  ]
  for (const [header, language] of cases) assert.equal(preferredLanguage(header), language, header?.slice(0, 30))
})

test('every page of the dashboard has a guide that exists', async () => {
  const { get } = await guides()
  for (const link of pageGuides) {
    const { status, text } = await get(`/guides/${link.guide}`)
    assert.equal(status, 200, link.guide)
    if (link.anchor) assert.ok(text.includes(`id="${link.anchor}"`), guideHref(link, 'en'))
    for (const language of languages) {
      const [path = ''] = guideHref(link, language).split('#')
      const shown = await get(path)
      assert.equal(shown.status, 200, path)
      assert.equal(shown.text.includes('role="note"'), language === 'pt' && !isTranslated(link.guide, 'pt'), path)
    }
  }
  assert.equal(guideFor('/agents/agt_1/talk')?.guide, 'conversation')
  assert.equal(guideFor('/agents/new')?.guide, 'first-call')
  assert.equal(guideFor('/nowhere'), null)
})

test('pictures and example files are served, as what they are', async () => {
  const { get } = await guides()
  const picture = await get('/guides/pictures/home.png', {})
  assert.equal(picture.headers['content-type'], 'image/png')
  const yaml = await get('/guides/gateway-api.yaml', {})
  assert.equal(yaml.headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(yaml.headers['x-content-type-options'], 'nosniff')
})

test('136 the guides load and run only files of their own origin', async () => {
  const { get } = await guides()
  for (const url of ['/guides', '/guides/web-calls']) {
    const { text, headers } = await get(url)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'/)
    assert.doesNotMatch(policy, /unsafe|nonce|data:|\*/)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.doesNotMatch(text, /<style|<iframe| style=|<[^>"]*\son\w+=|href="javascript:/i)
    for (const [, src = ''] of text.matchAll(/ src="([^"]*)"/g)) assert.match(src, /^\/(docs|guides)\//)
    assert.equal((text.match(/<script/g) ?? []).length, 2)
  }
})

test('a guide is not sent again when unchanged', async () => {
  const { get } = await guides()
  const first = await get('/guides/phone')
  assert.equal((await get('/guides/phone', { ...html, 'if-none-match': String(first.headers.etag) })).status, 304)
})

test('nothing outside the folder is reachable, and no other kind of file', async () => {
  const { get } = await guides()
  const paths = [
    '..%2fpackage.json',
    '..%2f..%2f..%2fetc%2fpasswd',
    'pictures/..%2f..%2fpackage.json',
    'pictures%2f..%2f..%2fpackage.json',
    'decisions/0012-the-page.md',
    'phone.md',
    'none',
    'pictures/none.png',
    'constructor',
    '__proto__',
    'x'.repeat(4000),
  ]
  for (const path of paths) {
    const { status, text } = await get(`/guides/${path}`)
    assert.equal(status, 404, path)
    assert.match(text, /There is no such guide/)
    assertError(await get(`/guides/${path}`, { accept: 'application/json' }), 404)
  }
})

test('a symbolic link out of the folder is not followed, and an installation without guides has none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-guides-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'secret.md'), '# A secret')
  writeFileSync(join(folder, 'docs', 'a.md'), 'No heading')
  symlinkSync(join(folder, 'secret.md'), join(folder, 'docs', 'secret.md'))
  mkdirSync(join(folder, 'docs', 'pt'))
  writeFileSync(join(folder, 'docs', 'pt', 'a.md'), '[b](../b.md) [a](a.md) [s](../../secret.md)')
  writeFileSync(join(folder, 'docs', 'pt', 'none.md'), '# A translation of nothing')
  symlinkSync(join(folder, 'secret.md'), join(folder, 'docs', 'pt', 'secret.md'))
  const shelf = openShelf(join(folder, 'docs'))
  const library = shelf.library('en', '/guides')
  assert.equal(library.find('secret'), undefined)
  const guide = library.find('a')
  assert.ok(guide)
  assert.equal(guide.title, 'a')
  assert.deepEqual(
    library.groups.map(({ name }) => name),
    ['More'],
  )
  const hostile = ['b.md', 'javascript:alert(1)', '//evil.example', '../secret.md', '#', '/etc/passwd', 'data:x']
  for (const target of [...hostile, 'pt/a.md', 'pt/../a.md'])
    assert.equal(library.linksOf(guide).href(target), null, target)
  const portuguese = shelf.library('pt', '/guides/pt')
  assert.equal(portuguese.find('none'), undefined)
  assert.equal(portuguese.find('secret'), undefined)
  const translation = portuguese.find('a')
  assert.ok(translation)
  assert.equal(translation.language, 'pt')
  for (const target of [...hostile, '../../secret.md', '../../../etc/passwd', 'none.md'])
    assert.equal(portuguese.linksOf(translation).href(target), null, target)
  assert.equal(portuguese.linksOf(translation).href('a.md'), '/guides/pt/a')
  assert.equal(portuguese.linksOf(translation).href('../a.md#b'), '/guides/pt/a#b')
  assert.deepEqual(openShelf(join(folder, 'none')).library('en', '/guides').groups, [])
})
