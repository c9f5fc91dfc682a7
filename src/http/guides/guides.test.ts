// The guides as the server serves them: every link and picture resolves, and nothing outside the folder can be read.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError, atEnd, testApp } from '../../../test/app.ts'
import { guideFor, guideHref, pageGuides } from '../../../web/src/components/page-guides.ts'
import { openLibrary } from './library.ts'

const html = { accept: 'text/html' }

async function guides() {
  const { anonymous } = await testApp()
  const get = (url: string, headers: Record<string, string> = html) => anonymous({ method: 'GET', url, headers })
  const list: { name: string; title: string }[] = (await get('/guides/list.json')).json
  return { get, list }
}

test('every guide is served without signing in, and every link between them leads to a heading', async () => {
  const { get, list } = await guides()
  assert.ok(list.length > 15)
  const pages = new Map<string, string>()
  for (const { name, title } of list) {
    const { status, text } = await get(`/guides/${name}`)
    assert.equal(status, 200, name)
    assert.ok(text.includes(`<title>${title.replaceAll('&', '&amp;')} · Ramal</title>`), name)
    pages.set(`/guides/${name}`, text)
  }
  const lost: string[] = []
  for (const [from, text] of pages)
    for (const [, href = ''] of text.matchAll(/href="(\/guides\/[^"]+|#[^"]+)"/g)) {
      const [path = '', anchor] = (href.startsWith('#') ? from + href : href).split('#')
      const target = pages.get(path)
      if (!target) {
        if ((await get(path)).status !== 200) lost.push(`${from}: ${href}`)
      } else if (anchor && !target.includes(`id="${anchor}"`)) lost.push(`${from}: ${href}`)
    }
  assert.deepEqual(lost, [])
})

test('every page of the dashboard has a guide that exists', async () => {
  const { get } = await guides()
  for (const link of pageGuides) {
    const { status, text } = await get(`/guides/${link.guide}`)
    assert.equal(status, 200, link.guide)
    if (link.anchor) assert.ok(text.includes(`id="${link.anchor}"`), guideHref(link))
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
  const library = openLibrary(join(folder, 'docs'))
  assert.equal(library.find('secret'), undefined)
  assert.equal(library.find('a')?.title, 'a')
  assert.deepEqual(
    library.groups.map(({ name }) => name),
    ['More'],
  )
  for (const target of ['b.md', 'javascript:alert(1)', '//evil.example', '../secret.md', '#', '/etc/passwd', 'data:x'])
    assert.equal(library.links.href(target), null, target)
  assert.deepEqual(openLibrary(join(folder, 'none')).groups, [])
})
