// Checks the source against the architecture rules, and shows that each rule can be broken.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as rules from './architecture-rules.ts'
import { featureCycles, layerOf } from './feature-rules.ts'

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

test('features import each other without cycles: by schemas, and by all other files', () => {
  const imports = rules.importsIn(files)
  assert.deepEqual(featureCycles(imports, 'schemas'), [])
  assert.deepEqual(featureCycles(imports, 'others'), [])
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
  ['src/http/a.ts', from('../features/keys/store.ts', 'type { x }'), /http may import base/],
  ['src/http/a.ts', "export { x } from '../db/tables.ts'\n", /http may import base/],
  ['src/http/a.ts', "import {\n  x,\n  y,\n} from '../db/tables.ts'\n", /http may import base/],
  ['src/http/a.ts', "import '../db/tables.ts'\n", /http may import base/],
  ['src/http/a.ts', "const x = await import('../db/tables.ts')\n", /http may import base/],
  ['src/http/a.ts', 'const x = await import(name)\n', /computed name/],
  ['src/config/load.ts', from('../base/process/log.ts'), /may import nothing of ours/],
  ['src/db/a.ts', from('../../test/app.ts'), /stands on src alone/],
  ['src/app.ts', from('./main.ts'), /where a process starts/],
  ['src/news/a.ts', from('../base/process/log.ts'), /no rule is decided/],
  ['src/rtp/a.ts', from('../sip/message/message.ts'), /rtp may import base, audio/],
  ['src/rtp/a.ts', from('../voice/session.ts'), /rtp may import base, audio/],
  ['src/voice/listening/a.ts', from('../session.ts'), /voice\/listening may import base/],
  ['src/speech/tts/a.ts', from('../../voice/session.ts'), /speech may import/],
  ['src/llm/a.ts', from('../failover/llm-chain.ts'), /llm may import/],
  ['src/phone/a.ts', from('../features/calls/store.ts'), /phone may import/],
  ['src/loose.ts', from('./base/process/log.ts'), /no rule is decided/],
  ['src/features/loose.ts', from('../base/process/log.ts'), /no rule is decided/],
  ['src/features/service.ts', from('./calls/store.ts', 'type { x }'), /service\.ts may import/],
  ['src/features/numbers/store.ts', from('../../app.ts'), /only main\.ts starts/],
  // Schemas
  ['src/features/numbers/schema.ts', from('./store.ts', 'type { x }'), /schema files import no store files/],
  ['src/features/numbers/schema.ts', from('../trunks/store.ts', 'type { x }'), /schemas of other features only/],
  ['src/features/numbers/schema.ts', from('../../http/server.ts'), /schema files of a feature may import/],
  [
    'src/features/numbers/new-schema.ts',
    from('../../voice/ports.ts', 'type { x }'),
    /schema files of a feature may import/,
  ],
  // Ports
  ['src/features/calls/port.ts', "export { x } from './pacing.ts'\n", /a port holds types/],
  ['src/features/calls/port.ts', from('../agents/pacing.ts', 'type { x }'), /through its port\.ts/],
  // Stores and rows
  ['src/features/numbers/store.ts', from('../trunks/store.ts'), /through its port\.ts, schema\.ts or rows\.ts/],
  ['src/features/numbers/dial-queue.ts', from('../trunks/links.ts', 'type { x }'), /through its port\.ts/],
  ['src/features/numbers/store.ts', from('./service.ts', 'type { x }'), /store files import no service files/],
  [
    'src/features/numbers/store.ts',
    from('../../config/config.ts', 'type { x }'),
    /store files of a feature may import/,
  ],
  ['src/features/numbers/store.ts', from('../../http/list.ts'), /store files of a feature may import/],
  ['src/features/numbers/store.ts', from('../../llm/open.ts'), /store files of a feature may import/],
  ['src/features/numbers/store.ts', from('../service.ts', 'type { x }'), /store files know no services/],
  ['src/features/numbers/rows.ts', from('../../llm/open.ts', 'type { x }'), /rows files of a feature may import/],
  ['src/features/numbers/rows.ts', from('../trunks/store.ts'), /through its port\.ts/],
  // Routes
  ['src/features/trunks/routes.ts', from('../numbers/routes.ts'), /service of their own feature/],
  ['src/features/trunks/routes.ts', from('../numbers/store.ts'), /through its port\.ts/],
  ['src/features/trunks/routes.ts', from('./service.ts'), /routes files import no service files/],
  ['src/features/trunks/routes.ts', from('../../phone/phone.ts'), /routes files of a feature may import/],
  // Services
  ['src/features/calls/service.ts', from('../agents/service.ts', 'type { x }'), /app\.ts alone builds services/],
  ['src/features/calls/service.ts', from('../numbers/web-routes.ts'), /service of their own feature/],
  ['src/features/calls/service.ts', from('../agents/voice-agent.ts'), /through its port\.ts/],
  ['src/features/auth/sign-in-service.ts', from('../../app.ts'), /only main\.ts starts/],
  // All other files
  ['src/features/calls/dialer.ts', from('../agents/voice-agent.ts', 'type { x }'), /through its port\.ts/],
  ['src/features/calls/dialer.ts', from('../agents/store.ts'), /through its port\.ts/],
  ['src/features/calls/dialer.ts', from('./routes.ts'), /logic files import no routes files/],
  ['src/features/calls/dialer.ts', from('./service.ts', 'type { x }'), /logic files import no service files/],
  ['src/features/calls/dialer.ts', from('../../http/list.ts'), /logic files of a feature may import/],
  ['src/features/calls/dialer.ts', from('../../config/load.ts'), /logic files of a feature may import/],
]

const allowed: [path: string, source: string][] = [
  ['src/db/a.ts', from('../config/config.ts', 'type { x }')],
  ['src/main.ts', from('./app.ts')],
  ['src/llm/a.ts', from('../voice/ports.ts', 'type { x }')],
  ['src/rtp/a.ts', from('../voice/listening/speech-tracker.ts')],
  ['src/base/a.ts', "// import { x } from '../db/tables.ts'\nimport { y } from 'node:fs'\n"],
  ['src/base/a.ts', "/*\nimport { x } from '../db/tables.ts'\n*/\n"],
  ['src/db/a.test.ts', from('../../test/app.ts')],
  ['src/features/calls/schema.ts', from('../trunks/schema.ts') + from('../../http/schema.ts')],
  ['src/features/calls/port.ts', from('./pacing.ts', 'type { x }')],
  ['src/features/calls/store.ts', from('../agents/rows.ts') + from('./pacing.ts') + from('../../db/owned.ts')],
  ['src/features/calls/store.ts', from('../../http/auth.ts', 'type { x }') + from('../agents/store.ts', 'type { y }')],
  ['src/features/calls/routes.ts', from('./store.ts') + from('../../http/list.ts') + from('../agents/schema.ts')],
  ['src/features/calls/service.ts', from('./live-routes.ts') + from('../../phone/phone.ts') + from('../service.ts')],
  ['src/features/calls/service.ts', from('../agents/port.ts') + from('../../http/list.ts')],
  ['src/features/calls/pacing.ts', from('../agents/rows.ts') + from('../agents/port.ts', 'type { x }')],
  ['src/features/calls/pacing.ts', from('../../phone/phone.ts') + from('./routes.ts', 'type { x }')],
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
  const between = {
    'src/features/a/schema.ts': from('../b/schema.ts'),
    'src/features/b/schema.ts': from('../a/schema.ts', 'type { x }'),
    'src/features/c/store.ts': from('../d/rows.ts'),
    'src/features/d/pacing.ts': from('../c/rows.ts') + from('../a/schema.ts') + from('../a/store.ts', 'type { x }'),
  }
  assert.deepEqual(featureCycles(rules.importsIn(between), 'schemas'), ['a -> b -> a'])
  assert.deepEqual(featureCycles(rules.importsIn(between), 'others'), ['c -> d -> c'])
  assert.deepEqual(
    ['live-routes', 'dial-queue', 'rows', 'campaign-port', 'pacing', 'reroutes'].map((name) => layerOf(`${name}.ts`)),
    ['routes', 'store', 'rows', 'port', 'logic', 'logic'],
  )
  assert.equal(rules.longFiles({ 'src/a.ts': 'x\n'.repeat(401) }).length, 1)
  assert.equal(rules.longFiles({ 'src/a.ts': 'x\n'.repeat(400) }).length, 0)
  const { own, whole } = rules.MAX_FUNCTION_LINES
  const functionOf = (lines: number) => `function f() {\n${'x()\n'.repeat(lines - 2)}}`
  assert.equal(rules.longFunctions({ 'src/a.ts': functionOf(own + 1) }).length, 1)
  assert.deepEqual(rules.longFunctions({ 'src/a.ts': functionOf(own) }), [])
  const around = (lines: number) => `function g() {\n${`${functionOf(50)}\n`.repeat(2)}${'x()\n'.repeat(lines - 102)}}`
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
  assert.deepEqual(rules.unboundedReads({ 'src/features/agents/store.ts': 'JSON.parse(text)\n' }), [])
  assert.equal(rules.unboundedReads({ 'src/features/agents/pacing.ts': 'JSON.parse(text)\n' }).length, 1)
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
