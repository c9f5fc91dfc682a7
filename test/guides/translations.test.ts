// Translated guides have the structure of the English text they were made from; outdated ones are listed.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isTranslated } from '../../web/src/components/page-guides.ts'
import { differences, sectionsOf } from './structure.ts'
import { blobId, problems, translationOf, translations } from './translations.ts'

test('every translation has the structure of its English text; older ones are listed', (t) => {
  const all = translations()
  assert.ok(all.length >= 5)
  assert.deepEqual(
    all.flatMap((one) => problems(one)),
    [],
  )
  for (const { name } of all.filter(({ isOlder }) => isOlder))
    t.diagnostic(`docs/pt/${name}.md is older than its English guide: npm run translations -- diff ${name}`)
})

test('the dashboard knows which guides are translated', () => {
  const translated = new Set(translations().map(({ name }) => name))
  const guides = readdirSync(join(import.meta.dirname, '../../docs')).filter((name) => name.endsWith('.md'))
  for (const name of guides.map((file) => file.slice(0, -3)))
    assert.equal(isTranslated(name, 'pt'), translated.has(name), name)
})

const english = `# A guide

Set \`PORT\`; see [phone](phone.md#nat) and ![a](pictures/a.png).

## Start

\`\`\`sh
./ramal keys list # with a comment
\`\`\`

| a | b |
|---|---|
| one | two |

- item
`
const portuguese = `# Um guia

Veja ![a](../pictures/a.png) e [telefone](../phone.md#nat); defina \`PORT\`.

## Iniciar

\`\`\`sh
./ramal keys list # com um comentário
\`\`\`

| a | b |
|---|---|
| um | dois |

- item
`
const marked = (text: string, source = english) => `<!-- Translation of ../guide.md at ${blobId(source)} -->\n${text}`

test('words, their order and comments may differ; structure may not', () => {
  const wrong = (text: string) => differences(sectionsOf(english), sectionsOf(text, 'pt'))
  assert.deepEqual(wrong(portuguese), [])
  const changes: readonly (readonly [string, string])[] = [
    ['## Iniciar', 'Iniciar'],
    ['## Iniciar', '### Iniciar'],
    ['keys list', 'keys add'],
    ['`PORT`', '`HOST`'],
    ['../phone.md', '../speech.md'],
    ['../phone.md', 'phone.md#nat) [e](phone.md'],
    ['| um | dois |\n', ''],
    ['- item\n', ''],
    ['![a](../pictures/a.png)', 'a figura'],
  ]
  for (const [from, to] of changes) assert.notDeepEqual(wrong(portuguese.replace(from, to)), [], `${from} → ${to}`)
})

test('a translation that is older is compared with its own English text, and one without a known text is wrong', () => {
  const fresh = translationOf('guide', marked(portuguese), english)
  assert.equal(fresh.isOlder, false)
  assert.deepEqual(problems(fresh), [])
  const older = translationOf('guide', marked(portuguese), `${english}\n## New\n`)
  assert.equal(older.isOlder, true)
  assert.deepEqual(problems(older, english), [])
  assert.match(problems(translationOf('guide', portuguese, english)).join(), /does not begin with its mark/)
  assert.match(problems(translationOf('other', marked(portuguese), english)).join(), /does not begin with its mark/)
})
