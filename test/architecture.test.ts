// Checks the source against the architecture rules, and shows that each rule can be broken.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as rules from './architecture-rules.ts'

const root = join(import.meta.dirname, '..')
const files: rules.Files = Object.fromEntries(
  globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: root })
    .sort()
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')]),
)
const below = (folder: string): rules.Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(`${folder}/`)))

test('the checker finds the source files and their imports', () => {
  assert.ok(Object.keys(below('src')).length > 50)
  const imports = Object.entries(below('src')).flatMap(([path, source]) => rules.importsOf(path, source))
  assert.ok(imports.length > 150, `only ${imports.length} imports were recognised`)
  for (const { to } of imports) assert.ok(existsSync(join(root, to)), `${to} is imported but not there`)
})

test('no file has a forbidden import', () => assert.deepEqual(rules.forbiddenImports(files), []))

test('there are no import cycles', () => {
  assert.deepEqual(rules.importCircles(below('src'), true), [])
  assert.deepEqual(rules.importCircles(files, false), [])
})

test('no file is longer than 400 lines', () => assert.deepEqual(rules.longFiles(files), []))

test('no function is too long', () => assert.deepEqual(rules.longFunctions(files), []))

test('only config/load.ts reads the environment, only entry points control the process', () =>
  assert.deepEqual(rules.processUses(files), []))

test('only src/base/outside reads what comes from outside', () => assert.deepEqual(rules.unboundedReads(files), []))

test('file names are kebab-case and meaningful', () => assert.deepEqual(rules.badNames(files), []))

test('there are no default exports', () => assert.deepEqual(rules.defaultExports(files), []))

test('every setting is documented in .env.example, and every documented one is read', () => {
  const read = rules.settingsRead(files)
  assert.ok(read.length > 10)
  assert.deepEqual(rules.settingsExplained(readFileSync(join(root, '.env.example'), 'utf8')), read)
})

const from = (name: string, what = '{ x }') => `import ${what} from '${name}'\n`

const refused: [path: string, source: string, because: RegExp][] = [
  ['src/base/a.ts', from('../db/tables.ts'), /base may import nothing of ours/],
  ['src/db/a.ts', from('../http/server.ts'), /db may import base/],
  ['src/db/a.ts', from('../config/config.ts'), /handed over by app\.ts/],
  ['src/db/a.ts', from('../config/load.ts', 'type { x }'), /db may import base/],
  ['src/http/a.ts', from('../api/keys/store.ts', 'type { x }'), /http may import base/],
  ['src/http/a.ts', "export { x } from '../db/tables.ts'\n", /http may import base/],
  ['src/http/a.ts', "import {\n  x,\n  y,\n} from '../db/tables.ts'\n", /http may import base/],
  ['src/http/a.ts', "import '../db/tables.ts'\n", /http may import base/],
  ['src/http/a.ts', "const x = await import('../db/tables.ts')\n", /http may import base/],
  ['src/http/a.ts', 'const x = await import(name)\n', /computed name/],
  ['src/features/numbers/store.ts', from('../trunks/store.ts'), /trunks does not come before dids/],
  ['src/features/trunks/link-store.ts', from('../dids/routes.ts'), /mounted by app\.ts/],
  ['src/api/news/store.ts', from('../dids/store.ts'), /no place in the order/],
  ['src/features/numbers/store.ts', from('../../config/config.ts', 'type { x }'), /api may import base/],
  ['src/features/numbers/store.ts', from('../../app.ts'), /only main\.ts starts/],
  ['src/features/auth/bootstrap.ts', from('../../app.ts'), /only main\.ts starts/],
  ['src/config/load.ts', from('../base/log.ts'), /may import nothing of ours/],
  ['src/db/a.ts', from('../../test/app.ts'), /stands on src alone/],
  ['src/app.ts', from('./main.ts'), /where a process starts/],
  ['src/news/a.ts', from('../base/log.ts'), /no rule is decided/],
  ['src/rtp/a.ts', from('../sip/message/message.ts'), /rtp may import base, audio/],
  ['src/speech/tts/a.ts', from('../../voice/session.ts'), /speech may import/],
  ['src/phone/a.ts', from('../api/calls/store.ts'), /phone may import/],
  ['src/features/calls/a.ts', from('../agents/voice-agent.ts'), /through its port\.ts/],
  ['src/features/calls/store.ts', from('../../services/calls/call-manager.ts'), /api may import/],
  ['src/loose.ts', from('./base/log.ts'), /no rule is decided/],
]

const allowed: [path: string, source: string][] = [
  ['src/db/a.ts', from('../config/config.ts', 'type { x }')],
  ['src/features/trunks/link-store.ts', from('../dids/store.ts') + from('./routes.ts')],
  ['src/features/calls/store.ts', from('../../db/owned.ts') + from('../../http/list.ts') + from('../../base/ids.ts')],
  ['src/main.ts', from('./app.ts')],
  ['src/features/calls/a.ts', from('../agents/port.ts') + from('../../api/calls/store.ts')],
  ['src/llm/a.ts', from('../voice/ports.ts', 'type { x }')],
  ['src/base/a.ts', "// import { x } from '../db/tables.ts'\nimport { y } from 'node:fs'\n"],
  ['src/base/a.ts', "/*\nimport { x } from '../db/tables.ts'\n*/\n"],
  ['src/db/a.test.ts', from('../../test/app.ts')],
]

test('the import rule detects violations, and accepts what it allows', () => {
  for (const [path, source, because] of refused) {
    const told = rules.forbiddenImports({ [path]: source })
    assert.equal(told.length, 1, `${path}: ${source}`)
    assert.match(told[0] ?? '', because)
  }
  for (const [path, source] of allowed) assert.deepEqual(rules.forbiddenImports({ [path]: source }), [], path)
})

test('the other rules detect violations', () => {
  const circle = {
    'src/a.ts': from('./b.ts'),
    'src/b.ts': from('./c.ts', 'type { x }'),
    'src/c.ts': "await import('./a.ts')\n",
  }
  assert.deepEqual(rules.importCircles(circle, true), ['src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts'])
  assert.deepEqual(rules.importCircles(circle, false), [])
  assert.equal(rules.longFiles({ 'src/a.ts': 'x\n'.repeat(401) }).length, 1)
  assert.equal(rules.longFiles({ 'src/a.ts': 'x\n'.repeat(400) }).length, 0)
  const { own, whole } = rules.MAX_FUNCTION_LINES
  const functionOf = (lines: number) => `function f() {\n${'x()\n'.repeat(lines - 2)}}`
  assert.equal(rules.longFunctions({ 'src/a.ts': functionOf(own + 1) }).length, 1)
  assert.deepEqual(rules.longFunctions({ 'src/a.ts': functionOf(own) }), [])
  const around = (lines: number) => `function g() {\n${`${functionOf(50)}\n`.repeat(4)}${'x()\n'.repeat(lines - 202)}}`
  assert.equal(rules.longFunctions({ 'src/a.ts': around(whole + 1) }).length, 1)
  assert.deepEqual(rules.longFunctions({ 'src/a.ts': around(whole) }), [])
  assert.equal(rules.processUses({ 'src/db/a.ts': 'const x = process.env.HOME\n' }).length, 1)
  assert.equal(rules.processUses({ 'src/main.ts': 'readConfig(process.env)\nprocess.env.HOME\n' }).length, 1)
  assert.equal(rules.processUses({ 'src/db/a.ts': "process.on('exit', x)\n" }).length, 1)
  assert.equal(rules.processUses({ 'src/db/a.ts': 'process.exit(1)\n' }).length, 1)
  assert.equal(rules.processUses({ 'src/db/a.ts': from('node:process', '{ env }') }).length, 1)
  assert.equal(rules.processUses({ 'src/db/a.ts': "// process.exit(1)\nconst x = 'process.env'\n" }).length, 0)
  for (const code of [
    from('undici', '{ request }'),
    'loadUndici().request(url)\n',
    'const answer = await fetch(url)\n',
    'new WebSocket(url)\n',
    'JSON.parse(text)\n',
  ])
    assert.equal(rules.unboundedReads({ 'src/llm/a.ts': code }).length, 1, code)
  assert.equal(rules.unboundedReads({ 'src/features/calls/routes.ts': 'JSON.parse(text)\n' }).length, 1)
  const bounded = `${from('undici', 'type { Agent }')}http.fetch(url)\nconst x = { fetch(a) {} }\n// JSON.parse(text)\n`
  assert.deepEqual(rules.unboundedReads({ 'src/llm/a.ts': bounded, 'src/db/a.ts': 'JSON.parse(text)\n' }), [])
  for (const name of ['utils', 'helpers', 'types', 'index', 'someThing', 'Some'])
    assert.equal(rules.badNames({ [`src/base/${name}.ts`]: '' }).length, 1, name)
  assert.equal(rules.defaultExports({ 'src/a.ts': 'export default function x() {}\n' }).length, 1)
  assert.equal(rules.defaultExports({ 'src/a.ts': 'export { x as default }\n' }).length, 1)
  const config = {
    'src/config/a.ts': "env.text('ONE')\nenv.number('TWO', 3, {})\n",
    'src/base/a.ts': "text('THREE')\n",
  }
  assert.deepEqual(rules.settingsRead(config), ['ONE', 'TWO'])
  assert.deepEqual(rules.settingsExplained('# Why.\n# ONE=1\n#TWO=\nTHREE=3\n'), ['ONE', 'THREE', 'TWO'])
})
